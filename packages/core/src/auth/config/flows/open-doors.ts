import { quoteKey } from '../../../document/problem.ts'
import type { FlowDefinition, FlowType, Step } from '../flow-definition.ts'

const known = 'it signs in whoever knows a login ID'
const idToken = 'an ID token is no proof of who is there now'

/** By what somebody is known in a type of flows without having shown anything, and why. What is not here shows it itself. */
const openDoors: {
  readonly [Type in FlowType]?: { readonly [identification: string]: string }
} = {
  login: { email: known, phone: known, username: known, id_token: idToken },
  reauth: { id_token: idToken },
}

/** Says of branches behind which nobody must show that they are who they say they are. */
export function openDoorsOf({
  type,
  steps,
}: Pick<FlowDefinition, 'type' | 'steps'>): readonly string[] {
  const door = openDoors[type] ?? {}
  return steps.flatMap((step, index) => {
    // A step that authenticates waits for the identity, wherever it stands.
    if (step.type !== 'identify' || hasGuard(steps.filter((_, place) => place !== index))) return []
    return step.one_of.flatMap(({ identification, steps: nested = [] }) => {
      const reason = door[identification]
      if (reason === undefined || hasGuard(nested)) return []
      return [`the branch ${quoteKey(identification)} needs a step authenticate: ${reason}`]
    })
  })
}

const hasGuard = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.type === 'authenticate' && step.optional !== true)
