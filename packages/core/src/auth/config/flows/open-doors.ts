import { type Place, warn } from '../../../document/place.ts'
import { quoteKey } from '../../../document/problem.ts'
import type { FlowType, Step } from '../flow-definition.ts'

const known = 'it signs in whoever knows a login ID'
const idToken = 'an ID token is no proof of who is there now'

/** By what somebody is known in a type of flows without having shown anything, and why. What is not here shows it itself. */
const openDoors: {
  readonly [Type in FlowType]?: { readonly [identification: string]: string }
} = {
  login: { email: known, phone: known, username: known, id_token: idToken },
  reauth: { id_token: idToken },
}

/** Warns of branches behind which nobody must show that they are who they say they are. */
export function warnOfOpenDoors(place: Place, type: FlowType, steps: readonly Step[]): void {
  const door = openDoors[type]
  if (door === undefined) return
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'identify' || hasGuard(steps.slice(index + 1))) continue
    for (const branch of step.one_of) {
      const reason = door[branch.identification]
      if (reason === undefined || hasGuard(branch.steps ?? [])) continue
      const name = quoteKey(branch.identification)
      warn(place, `the branch ${name} needs a step authenticate: ${reason}`)
    }
  }
}

const hasGuard = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.type === 'authenticate' && step.optional !== true)
