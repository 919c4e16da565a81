import { quoteKey } from '../../../document/problem.ts'
import type { FlowDefinition, FlowType, Step } from '../flow-definition.ts'

const known = 'a login ID alone is enough to sign in'
const idToken = 'an ID token is no proof of who is there now'

/** Identifications that a type of flow accepts without a proof, and why. All others are a proof themselves. */
const openDoors: {
  readonly [Type in FlowType]?: { readonly [identification: string]: string }
} = {
  login: { email: known, phone: known, username: known, id_token: idToken },
  reauth: { id_token: idToken },
}

/** Warns of branches that sign users in without a proof. */
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
