import { type Place, warn } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import type { IdentifyBranch, Step } from '../flow-definition.ts'

/** What everybody can say of somebody else. */
const knownToOthers: readonly string[] = ['email', 'phone', 'username']

/** Warns of branches of a login flow behind which nobody must show that they are who they say they are. */
export function warnOfOpenDoors(place: Place, steps: readonly Step[]): void {
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'identify' || hasGuard(steps.slice(index + 1))) continue
    for (const branch of step.one_of) {
      if (isGuarded(branch)) continue
      const name = quoteKey(branch.identification)
      warn(
        place,
        `the branch ${name} needs a step authenticate: it signs in whoever knows a login ID`,
      )
    }
  }
}

const isGuarded = ({ identification, steps = [] }: IdentifyBranch): boolean =>
  !knownToOthers.includes(identification) || hasGuard(steps)

const hasGuard = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.type === 'authenticate' && step.optional !== true)
