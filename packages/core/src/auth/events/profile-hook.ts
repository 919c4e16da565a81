import { checkWrites } from '../../storage/storage-input.ts'
import type { Identified } from '../accounts/account.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Fact, FactWrites } from '../flow/state.ts'
import type { PhoneNumbers } from '../login-ids/phone.ts'
import { eventIdentity, eventUser } from './event-records.ts'
import { hookInvalidResponse } from './hook-errors.ts'
import { askHook, type HookPorts, hooksFor } from './hooks.ts'
import { checkMutation, type ProfileMutation } from './mutated-profile.ts'
import { type EventPorts, hookEvent } from './outbox.ts'

interface ProfileHookPorts extends HookPorts, EventPorts {
  readonly phoneNumbers: PhoneNumbers
}

/** A profile that is about to be stored. */
export interface StoredProfile {
  readonly userId: string
  readonly facts: readonly Fact[]
  /** The writes of the facts. */
  write(facts: readonly Fact[]): Promise<FactWrites>
}

/**
 * Asks the host before a flow creates a user or changes a profile. Returns the facts with the host's changes to the profile.
 *
 * @throws {GatehouseError} `HookDisallowed`, or the error of a failed hook.
 * @see Authgear, blocking events `user.pre_create` and `user.profile.pre_update`
 */
export async function askAboutProfile(
  run: FlowRun<ProfileHookPorts>,
  { userId, facts, write }: StoredProfile,
): Promise<readonly Fact[]> {
  const type = pointOf(facts)
  if (type === undefined || hooksFor(run.auth, type).length === 0) return facts
  const { user, identities } = await write(facts)
  const payload = { user: eventUser(user), identities: identities.map(eventIdentity) }
  const { mutations = {} } = await askHook(run, hookEvent(run, { type, payload }, userId))
  if (mutations.user === undefined) return facts
  const mutated = [...facts, mutationOf(run, type, mutations.user, identities)]
  checkStorable(run, type, await write(mutated))
  return mutated
}

function pointOf(
  facts: readonly Fact[],
): 'user.pre_create' | 'user.profile.pre_update' | undefined {
  if (facts.some(({ kind }) => kind === 'user_created')) return 'user.pre_create'
  const changes = facts.some(({ kind }) => kind === 'profile_filled')
  return changes ? 'user.profile.pre_update' : undefined
}

function mutationOf(
  { auth }: FlowRun<ProfileHookPorts>,
  event: string,
  mutation: ProfileMutation,
  identities: readonly Identified<IdentityRecord>[],
): Fact {
  const checked = checkMutation(mutation, {
    identities,
    custom_attributes: auth.config.current.user_profile.custom_attributes.attributes,
    phoneNumbers: auth.phoneNumbers,
  })
  if ('profile' in checked) return { kind: 'profile_replaced', ...checked.profile }
  const { problems } = checked
  auth.logger.error({ event, problems }, 'a hook returned invalid attributes')
  throw hookInvalidResponse()
}

/** The host's own attributes may be any JSON, so check that the writes can be stored. */
function checkStorable(
  { auth }: FlowRun<ProfileHookPorts>,
  event: string,
  { writes }: FactWrites,
): void {
  try {
    checkWrites(writes)
  } catch (error) {
    auth.logger.error(
      { event, error: String(error) },
      'a hook returned attributes that cannot be stored',
    )
    throw hookInvalidResponse()
  }
}
