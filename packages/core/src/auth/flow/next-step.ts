import type { Step } from '../config/flow-definition.ts'
import { allSteps } from '../config/flows/all-steps.ts'
import { identifiedUserOf } from './account.ts'
import { claimNames } from './claims.ts'
import { bringsIdentities } from './flow-type.ts'
import type { FlowSnapshot } from './state.ts'

/**
 * Splits the next step from the pending ones: the first that has everything it needs. A step that needs an identity, or refers to
 * another step, waits for a later step that brings it. `step` is `undefined` if none is pending.
 */
export function nextStep(state: FlowSnapshot): {
  readonly step: Step | undefined
  readonly pending: readonly Step[]
} {
  const { pending } = state
  const index = pending.findIndex((step, place) => {
    const brings = missingOf(step, state)
    return brings === undefined || !pending.slice(place + 1).some(brings)
  })
  return { step: pending[index], pending: pending.filter((_, place) => place !== index) }
}

/** Whether a later step brings what this one needs; `undefined` if nothing is missing. */
function missingOf(step: Step, state: FlowSnapshot): ((later: Step) => boolean) | undefined {
  const { facts, entered } = state
  const needsIdentity = identifiedUserOf(facts) === undefined && !runsUnidentified(step, state)
  const targets = targetsOf(step).filter((name) => entered.every((one) => one.name !== name))
  if (!needsIdentity && targets.length === 0) return undefined
  return (later) =>
    (needsIdentity && later.type === 'identify') ||
    allSteps([later]).some(({ name }) => name !== undefined && targets.includes(name))
}

/** Whether a step can run before the user is identified. The user of a sign-up or a promotion is there from the start. */
function runsUnidentified(step: Step, { type }: FlowSnapshot): boolean {
  if (step.type === 'identify') return true
  // A passkey is shown under the name of an identity.
  if (!bringsIdentities(type) || step.type === 'prompt_create_passkey') return false
  // Addresses and names of a profile must be those of an identity.
  const fields = step.type === 'fill_in_user_profile' ? step.user_profile : []
  return fields.every(({ pointer }) => claimNames.every((name) => pointer !== `/${name}`))
}

/** The names of the steps that a step refers to. */
function targetsOf(step: Step): readonly string[] {
  if ('target_step' in step) return [step.target_step]
  if (step.type !== 'create_authenticator' && step.type !== 'authenticate') return []
  return step.one_of.flatMap(({ target_step: target }) => target ?? [])
}
