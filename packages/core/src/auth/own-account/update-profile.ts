import { type Decode, decodeInput, json, objectOf } from '../../input/decode.ts'
import { type Json, retryOnConflict } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import { loadAccount } from '../accounts/accounts.ts'
import {
  type AttributeChange,
  checkAttributes,
  type UserProfile,
} from '../accounts/user-profile.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound, validationFailed } from '../errors.ts'
import { eventUser } from '../events/event-records.ts'
import { commitWithEvents } from '../events/outbox.ts'
import { askAboutProfile } from '../events/profile-hook.ts'
import type { Session } from '../flow/session/session.ts'
import type { Fact } from '../flow/state.ts'
import { writesFor } from '../flows/finish/finish-flow.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestFields } from '../flows/operation-input.ts'
import { type JsonSchema, validateJson } from '../schema/json-schema.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { claimsOf } from '../steps/fill-in-user-profile.ts'
import { accountEvents } from './account-holder.ts'
import { accessFields } from './account-input.ts'
import { accountRun } from './account-run.ts'
import { checkWritable, type ProfileAccess, visibleProfile } from './profile-access.ts'

/** Options of {@link updateProfile}. */
export interface UpdateProfileOptions extends RequestContext, ProfileAccess {}

const decodeOptions = objectOf<UpdateProfileOptions>({ ...requestFields, ...accessFields })

/** A schema checks their shape. */
const attributeChanges: Decode<readonly AttributeChange[]> = (value) =>
  json(value) as unknown as readonly AttributeChange[]

/** More than there are attributes. */
const maxChanges = 1_000

const schema: JsonSchema = {
  type: 'array',
  maxItems: maxChanges,
  items: {
    type: 'object',
    required: ['pointer'],
    properties: { pointer: { type: 'string' } },
  },
}

/**
 * Changes attributes of the session's user. Each is set, or erased if it has no value; the others stay. Calls the hook with
 * `user.profile.pre_update`. Returns the profile as the user may see it.
 *
 * @throws {GatehouseError} `ValidationFailed`, with locations below `/attributes`; `AccessControlViolated`; `HookDisallowed` or
 * another error of the hook; `UserNotFound`.
 */
export async function updateProfile(
  auth: AuthContext,
  of: Session,
  given: readonly AttributeChange[],
  how: UpdateProfileOptions = {},
): Promise<UserProfile> {
  const session = decodeInput('session', sessionInput, of)
  const changes = decodeInput('changes', attributeChanges, given)
  const options = decodeInput('options', decodeOptions, how)
  const { user_id: userId } = session
  checkShape(changes)
  checkWritable(
    changes.map(({ pointer }) => pointer),
    auth.config.current,
    options,
  )
  const account = await loadAccount(auth.storage, userId)
  if (account === undefined) throw userNotFound({})
  const name = 'update_profile'
  const run = accountRun(auth, session, name, options)
  const eventOf = accountEvents(auth, session, { ...options, name })
  const facts = await askAboutProfile(run, {
    userId,
    facts: factsOf(session, checked(auth, account, changes)),
    write: (all) => writesFor(run, all, userId),
  })
  return retryOnConflict(async () => {
    const { writes, user } = await writesFor(run, facts, userId)
    const event = eventOf('user.profile.updated', { user: eventUser(user) })
    await commitWithEvents(auth, writes, [event])
    return visibleProfile(user, options)
  })
}

/** Hosts may pass on the changes that a client has sent. */
function checkShape(changes: readonly AttributeChange[]): void {
  const causes = validateJson(schema, changes as unknown as Json)
  if (causes.length === 0) return
  throw validationFailed(
    causes.map((cause) => ({ ...cause, location: `/attributes${cause.location}` })),
  )
}

/** @throws {GatehouseError} `ValidationFailed` */
function checked(
  { config: { current: config }, phoneNumbers }: AuthContext,
  account: Account,
  changes: readonly AttributeChange[],
): readonly AttributeChange[] {
  const pointers = new Set(changes.map(({ pointer }) => pointer))
  const rules = {
    user_profile: [...pointers].map((pointer) => ({ pointer, required: false })),
    custom_attributes: config.user_profile.custom_attributes.attributes,
    claims: claimsOf(account),
    phoneNumbers,
  }
  // Attributes without a value are erased: requested, but omitted from the input.
  const given = changes.filter(({ value }) => value !== undefined)
  const result = checkAttributes(rules, given as unknown as Json)
  if ('causes' in result) throw validationFailed(result.causes)
  return result.attributes
}

function factsOf(
  { id: session_id, user_id }: Session,
  changes: readonly AttributeChange[],
): readonly Fact[] {
  return [
    { kind: 'user_identified', user_id },
    { kind: 'session_used', session_id, renew: false },
    { kind: 'profile_filled', changes },
  ]
}
