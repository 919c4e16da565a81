import { sha256Hex } from '../../crypto/crypto.ts'
import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  exactly,
  flag,
  json,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import { invalidInput, refuseShown } from '../../input/refusal.ts'
import type { Instant } from '../../time/clock.ts'
import { findIdentity, loadAccount } from '../accounts/accounts.ts'
import { keyOfIdentity } from '../accounts/identities.ts'
import type { Attributes } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { authError, validationFailed } from '../errors.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { isUnproven } from '../flow/session/first-proof.ts'
import { incomingLoginId } from '../kinds/login-id/identification.ts'
import { claimHolder } from '../linking/claim-holder.ts'
import { linkingChecks } from '../linking/linking-rules.ts'
import { duplicated } from '../linking/sign-up.ts'
import { type LoginId, readLoginId } from '../login-ids/login-id.ts'
import { isLanguageTag } from '../messages/messages-input.ts'
import {
  type Invitation,
  invitationCode,
  invitationLink,
  invitationPayload,
  toInvitation,
} from './invitation.ts'
import { type InvitationRecord, invitationCollection } from './invitation-record.ts'
import { mailSender, sendInvitation, spendMail } from './send-invitation.ts'

/** Whom to invite, and what the new user gets. */
export interface NewInvitation {
  readonly email: string
  /** For the profile of the new user, such as `name` (default none). */
  readonly standard_attributes?: Attributes
  /** Such as `x_role`, for roles (default none). */
  readonly custom_attributes?: Attributes
  /** Default: after `invitations.lifetime_days` of the configuration, 7 days unless it says otherwise. */
  readonly expires_at?: InstantInput
  /** The language of the mail, as `de` (default: the fallback language). */
  readonly locale?: string
  /** Who invites, for records (default: the app). */
  readonly invited_by?: string
  /** Whether a mail is sent (default true). Otherwise the app sends the link itself. */
  readonly send?: boolean
}

/** A new invitation, with the link that begins the sign-up. Its holder counts as the owner of the address. */
export interface CreatedInvitation {
  readonly invitation: Invitation
  readonly link: string
}

const language: Decode<string> = (value) =>
  isLanguageTag(rawText(value))
    ? rawText(value)
    : refuseShown('a language tag such as de or pt-BR', value)

type Decoded = Omit<NewInvitation, 'expires_at'> & { readonly expires_at?: Instant }

const newInvitation = exactly<Decoded>({
  email: rawText,
  standard_attributes: optional(recordOf(json)),
  custom_attributes: optional(recordOf(json)),
  expires_at: optional(instant),
  locale: optional(language),
  invited_by: optional(rawText),
  send: optional(flag),
})

const maxLifetimeMs = 366 * 86_400_000

/**
 * Invites the owner of an email address to sign up, also where sign-up is closed to the public. The mail has a link that can be
 * used once. An address has one invitation at a time.
 *
 * @throws {GatehouseError} `InvalidInput`; `ValidationFailed`; `InvitationsDisabled`; `InvitationExists`; `InvariantViolated`
 *   (`DuplicatedIdentity`) if a user has the address; `RateLimited`; `InvitationNotSent`, after which the invitation can be sent
 *   again.
 * @example
 * await createInvitation(auth, { email: 'maya@example.com', custom_attributes: { x_role: 'editor' } })
 */
export async function createInvitation(
  auth: AuthContext,
  given: NewInvitation,
): Promise<CreatedInvitation> {
  const wanted = decodeInput('invitation', newInvitation, given)
  const { send: isSent = true } = wanted
  const loginId = readAddress(auth, wanted.email)
  const now = auth.clock.now()
  const nonce = auth.ids.random()
  const id = sha256Hex(keyOfIdentity('login_id', 'email', loginId.uniqueKey))
  const code = invitationCode(auth.secrets, { id, nonce })
  const link = invitationLink(auth.config.current, code)
  const record: InvitationRecord = {
    email: loginId.original,
    nonce,
    created_at: now,
    expires_at: endOf(auth, wanted.expires_at, now),
    sent_at: isSent ? now : null,
    sent_count: isSent ? 1 : 0,
    invited_by: wanted.invited_by ?? null,
    locale: wanted.locale ?? null,
    standard_attributes: wanted.standard_attributes ?? {},
    custom_attributes: wanted.custom_attributes ?? {},
  }
  if (isSent) mailSender(auth)
  await checkNoUser(auth, loginId)
  if ((await invitationCollection.get(auth.storage, id)) !== undefined) throw exists()
  if (isSent) await spendMail(auth, loginId.normalized)
  const event = hostEvent(auth, 'invitation.created', invitationPayload(id, record), null)
  const write = invitationCollection.write(id, record, {
    if: 'absent',
    expiresAt: record.expires_at,
  })
  try {
    await commitWithEvents(auth, [write], [event])
  } catch (error) {
    // Another request has invited the address meanwhile.
    if (isGatehouseError(error) && error.kind === 'Conflict') throw exists()
    throw error
  }
  if (isSent) await sendInvitation(auth, record, { code, link })
  return { invitation: toInvitation(id, record), link }
}

const exists = () =>
  authError(
    'AlreadyExists',
    'InvitationExists',
    'the address is invited already: send that invitation again, or revoke it',
  )

/** Reads the address by the rules for new users. */
function readAddress({ loginIdRules, config }: AuthContext, email: string): LoginId {
  const read = readLoginId('email', email, loginIdRules(config.current), 'create')
  if ('loginId' in read) return read.loginId
  throw validationFailed([{ location: '/email', ...read.problem }], 'invalid login ID')
}

function endOf({ config }: AuthContext, end: Instant | undefined, now: Instant): Instant {
  const { lifetime_days: days } = config.current.invitations
  const at = end ?? now + days * 86_400_000
  if (at > now && at <= now + maxLifetimeMs) return at
  throw invalidInput('invitation.expires_at', 'an instant within a year from now', 'another one')
}

/** A user who has the address signs in in place of signing up. An unproven login ID does not count. */
async function checkNoUser(auth: AuthContext, loginId: LoginId): Promise<void> {
  const config = auth.config.current
  const incoming = { ...incomingLoginId(loginId, config), verified: ['email' as const] }
  const same = await findIdentity(
    auth.storage,
    keyOfIdentity('login_id', 'email', loginId.uniqueKey),
  )
  const account = same && (await loadAccount(auth.storage, same.user_id))
  if (same && account && !isUnproven(same, account, config)) throw duplicated(incoming, same)
  for (const { claim, value } of linkingChecks(config, incoming, { identification: 'email' })) {
    const holder = await claimHolder(auth, { claim, value }, { user_id: '', isProven: true })
    if (holder !== undefined) throw duplicated(incoming, holder)
  }
}
