import type { Account, Identified } from '../../accounts/account.ts'
import type { OobOtpAuthenticator } from '../../accounts/authenticator-record.ts'
import type { AuthenticateBranch, Channel, OtpForm } from '../../config/flow-definition.ts'
import { isUserUnknown, isVerified } from '../../flow/account.ts'
import type { Asking } from '../../flow/asking.ts'
import type { OfferedOption } from '../../flow/authenticator.ts'
import { ask } from '../../flow/questions.ts'
import type { Fact } from '../../flow/state.ts'
import { targetStep } from '../../flow/target-step.ts'
import type { FlowView } from '../../flow/view.ts'
import { maskEmail, maskPhone } from '../../login-ids/mask.ts'
import { isFirstFactor, isOnlyWayIn } from './first-factor.ts'
import { type OtpPlan, phoneChannels } from './otp-prompt.ts'

/** An address as a factor: by which messages it is proven, and whether it is the first or the second one. */
export interface AddressFactor {
  readonly kind: 'primary' | 'secondary'
  readonly medium: 'email' | 'sms'
}

/** The name of an authentication by this factor. */
export const authenticationBy = ({
  kind,
  medium,
}: AddressFactor): `${AddressFactor['kind']}_oob_otp_${AddressFactor['medium']}` =>
  `${kind}_oob_otp_${medium}`

/** The claim that an address of this factor verifies. */
export const claimOf = ({ medium }: AddressFactor): 'email' | 'phone_number' =>
  medium === 'email' ? 'email' : 'phone_number'

/** The address as others may see it. */
export const masked = ({ medium }: AddressFactor, target: string): string =>
  medium === 'email' ? maskEmail(target) : maskPhone(target)

/** The authenticators of this factor that an account has. */
export const storedOf = (
  { kind, medium }: AddressFactor,
  { authenticators }: Pick<Account, 'authenticators'>,
): readonly Identified<OobOtpAuthenticator>[] =>
  authenticators.filter(
    (one): one is Identified<OobOtpAuthenticator> =>
      one.type === `oob_otp_${medium}` && one.kind === kind,
  )

export const channelsOf = ({ medium }: AddressFactor, { config }: FlowView): readonly Channel[] =>
  medium === 'email' ? ['email'] : phoneChannels(config)

/** Whether a code or a link is sent. */
export const formOf = ({ medium }: AddressFactor, { config }: FlowView): OtpForm =>
  medium === 'email' && config.authenticator.oob_otp.email.email_otp_mode === 'login_link'
    ? 'link'
    : 'code'

/** The part of an option that is stored and not shown. */
export type HiddenAddress = { readonly target: string; readonly authenticator_id: string | null }

/** The address of an option; `undefined` if its user has yet to name one. */
export function hiddenOf({ hidden }: OfferedOption): HiddenAddress | undefined {
  const { target, authenticator_id: id } = hidden ?? {}
  if (typeof target !== 'string') return undefined
  return { target, authenticator_id: typeof id === 'string' ? id : null }
}

/** The addresses that may get a code at sign-in. */
export function signInTargets(
  factor: AddressFactor,
  { target_step: step }: AuthenticateBranch,
  account: Account,
  view: FlowView,
): readonly HiddenAddress[] {
  const stored = storedOf(factor, account)
  if (factor.kind === 'secondary') {
    return stored.map(({ id, target }) => ({ target, authenticator_id: id }))
  }
  const only = step && targetStep(view, step).identity_id
  return account.identities.flatMap((identity) => {
    const target = identity.type === 'login_id' ? identity[claimOf(factor)] : undefined
    if (target === undefined || (only !== undefined && only !== identity.id)) return []
    const id = stored.find((one) => one.target === target)?.id ?? null
    return [{ target, authenticator_id: id }]
  })
}

/** What happens to an address that a user sets up. */
export type SetUp =
  /** It is refused: the account has it, or it is the first factor. */
  | 'taken'
  /** It counts once a code has proven it. */
  | 'to prove'
  /** It counts: a code has proven it in this flow. */
  | 'proven'
  /** It is stored, but is no factor of this session: nobody has shown it. */
  | 'unshown'

/**
 * Decides about an address that a user sets up.
 *
 * @param isAsked whether a proof is wanted at all.
 */
export function decideSetUp(
  factor: AddressFactor,
  account: Account,
  view: FlowView,
  { target, isAsked }: { readonly target: string; readonly isAsked: boolean },
): SetUp {
  if (!canBeSetUp(factor, account, view, target)) return 'taken'
  if (isAsked && needsCode(factor, account, target)) return 'to prove'
  const isShown = view.state.facts.some(
    (fact) => fact.kind === 'claim_verified' && fact.value === target && fact.channel !== null,
  )
  return isShown ? 'proven' : 'unshown'
}

/** Whether an account does not have an address yet as this factor, nor as the first one. */
export const canBeSetUp = (
  factor: AddressFactor,
  account: Account,
  view: FlowView,
  target: string,
): boolean =>
  storedOf(factor, account).every((one) => one.target !== target) &&
  (factor.kind === 'primary' ||
    !(isFirstFactor(view, target) || isOnlyWayIn(account, target, view)))

/** A second factor is proven when it is set up, even if the address is verified. */
export const needsCode = (factor: AddressFactor, account: Account, target: string): boolean =>
  factor.kind === 'secondary' || !isVerified(account, claimOf(factor), target)

/** Marks an address as verified, unless it is already. */
export const provenFacts = (
  factor: AddressFactor,
  account: Account,
  target: string,
  channel: Channel | null,
): readonly Fact[] =>
  isVerified(account, claimOf(factor), target)
    ? []
    : [{ kind: 'claim_verified', name: claimOf(factor), value: target, channel }]

/** The prompt for the code to an address, without what its outcome establishes. */
export const planFor = (
  factor: AddressFactor,
  account: Account,
  view: FlowView,
  target: string,
): Omit<OtpPlan, 'message' | 'facts'> => ({
  purpose: 'oob_otp',
  target,
  masked: masked(factor, target),
  channels: channelsOf(factor, view),
  form: formOf(factor, view),
  user_id: account.user.id,
  is_deliverable: !isUserUnknown(view.state.facts),
  authentication: authenticationBy(factor),
})

export function* newAuthenticator(
  { kind, medium }: AddressFactor,
  { user }: Account,
  { now }: FlowView,
  target: string,
): Asking<Identified<OobOtpAuthenticator>> {
  const id = yield* ask('uuid', undefined)
  const type = `oob_otp_${medium}` as const
  return { id, type, kind, target, user_id: user.id, created_at: now, updated_at: now }
}
