import type { Json } from '../../../storage/storage.ts'
import type { Account, Identified } from '../../accounts/account.ts'
import type { OobOtpAuthenticator } from '../../accounts/authenticator-record.ts'
import type { AuthenticateBranch, Channel, OtpForm } from '../../config/flow-definition.ts'
import { authenticatorTaken, validationFailed } from '../../errors.ts'
import { isUserUnknown, isVerified } from '../../flow/account.ts'
import type { Asking } from '../../flow/asking.ts'
import type { Authenticator, OfferedOption } from '../../flow/authenticator.ts'
import { ask } from '../../flow/questions.ts'
import type { Fact } from '../../flow/state.ts'
import { targetStep } from '../../flow/target-step.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import { isUsed } from '../../limits/attempt.ts'
import { type LoginIdRules, readLoginId } from '../../login-ids/login-id.ts'
import { maskEmail, maskPhone } from '../../login-ids/mask.ts'
import { isFirstFactor, isOnlyWayIn } from './first-factor.ts'
import { beginOtp, type OtpPlan, phoneChannels } from './otp-prompt.ts'

type Kind = 'primary' | 'secondary'
type Medium = 'email' | 'sms'

/** The part of an option that is stored and not shown. */
type Hidden = { readonly target: string; readonly authenticator_id: string | null }

function hiddenOf({ hidden }: OfferedOption): Hidden | undefined {
  const { target, authenticator_id: id } = hidden ?? {}
  if (typeof target !== 'string') return undefined
  return { target, authenticator_id: typeof id === 'string' ? id : null }
}

/** Authentication by a code or link that is sent to an address. */
export function createOobOtpAuthenticator(
  kind: Kind,
  medium: Medium,
  rulesOf: (view: FlowView) => LoginIdRules,
): Authenticator {
  const authentication = `${kind}_oob_otp_${medium}`
  const type = `oob_otp_${medium}` as const
  const claim = medium === 'email' ? 'email' : 'phone_number'
  const mask = medium === 'email' ? maskEmail : maskPhone
  const amr =
    medium === 'email' ? ['otp', `x_${authentication}`] : ['otp', 'sms', `x_${authentication}`]

  const storedOf = ({ authenticators }: Account): readonly Identified<OobOtpAuthenticator>[] =>
    authenticators.filter(
      (one): one is Identified<OobOtpAuthenticator> => one.type === type && one.kind === kind,
    )

  const channelsOf = ({ config }: FlowView): readonly Channel[] =>
    medium === 'email' ? ['email'] : phoneChannels(config)

  const formOf = ({ config }: FlowView): OtpForm =>
    medium === 'email' && config.authenticator.oob_otp.email.email_otp_mode === 'login_link'
      ? 'link'
      : 'code'

  /** The addresses that may get a code at sign-in. */
  const targetsOf = (
    branch: AuthenticateBranch,
    account: Account,
    view: FlowView,
  ): readonly Hidden[] => {
    const stored = storedOf(account)
    if (kind === 'secondary') {
      return stored.map(({ id, target }) => ({ target, authenticator_id: id }))
    }
    const only = branch.target_step && targetStep(view, branch.target_step).identity_id
    return account.identities.flatMap((identity) => {
      const target = identity.type === 'login_id' ? identity[claim] : undefined
      if (target === undefined || (only !== undefined && only !== identity.id)) return []
      const id = stored.find((one) => one.target === target)?.id ?? null
      return [{ target, authenticator_id: id }]
    })
  }

  const planFor = (
    view: FlowView,
    account: Account,
    target: string,
  ): Omit<OtpPlan, 'message' | 'facts'> => ({
    purpose: 'oob_otp',
    target,
    masked: mask(target),
    channels: channelsOf(view),
    form: formOf(view),
    user_id: account.user.id,
    is_deliverable: !isUserUnknown(view.state.facts),
    authentication,
  })

  /** Marks an address as verified, unless it is already. */
  const proven = (account: Account, target: string, channel: Channel | null): readonly Fact[] =>
    isVerified(account, claim, target)
      ? []
      : [{ kind: 'claim_verified', name: claim, value: target, channel }]

  /** A second factor is proven when it is set up, even if the address is verified. */
  const needsCode = (account: Account, target: string): boolean =>
    kind === 'secondary' || !isVerified(account, claim, target)

  /** Whether an address cannot be a second factor, because it is the first one. */
  const isTheFirst = (account: Account, target: string, view: FlowView): boolean =>
    kind === 'secondary' && (isFirstFactor(view, target) || isOnlyWayIn(account, target, view))

  /** Whether a code has proven an address in this flow. */
  const isShown = (target: string, { state }: FlowView): boolean =>
    state.facts.some(
      (fact) => fact.kind === 'claim_verified' && fact.value === target && fact.channel !== null,
    )

  function* newAuthenticator(
    account: Account,
    target: string,
    view: FlowView,
  ): Asking<Identified<OobOtpAuthenticator>> {
    const id = yield* ask('uuid', undefined)
    const { now } = view
    return { id, type, kind, target, user_id: account.user.id, created_at: now, updated_at: now }
  }

  return {
    authentication,
    kind,
    amr,
    *offer(branch, account, view) {
      const form = formOf(view)
      const channels = channelsOf(view)
      return targetsOf(branch, account, view)
        .filter(({ target }) =>
          kind === 'secondary'
            ? !isFirstFactor(view, target)
            : !isUsed(view, authentication, { target }),
        )
        .map((hidden) => ({
          option: {
            authentication,
            otp_form: form,
            masked_display_name: mask(hidden.target),
            channels,
          },
          hidden,
        }))
    },
    schema(offered, index) {
      const channels = channelsIn(offered)
      const isChoice = channels.length > 1
      const channel = { type: 'string', enum: channels } as const
      const byIndex = {
        required: isChoice ? ['index', 'channel'] : ['index'],
        properties: { index: { const: index }, channel },
      }
      if (kind === 'primary') return byIndex
      const byTarget = {
        required: ['target'],
        properties: { target: { type: 'string' }, channel },
      } as const
      return { anyOf: [byIndex, byTarget] }
    },
    isMeant(offered, input) {
      if (input.index !== undefined || typeof input.target !== 'string') return true
      return hiddenOf(offered)?.target === plainAddress(medium, input.target)
    },
    *authenticate(offered, input, account, view) {
      const hidden = hiddenOf(offered)
      if (hidden === undefined) throw new TypeError('an option has no address')
      const { target } = hidden
      const created =
        hidden.authenticator_id === null
          ? yield* newAuthenticator(account, target, view)
          : undefined
      const id = hidden.authenticator_id ?? created?.id ?? null
      const channel = channelsIn(offered).find((one) => one === input.channel)
      const facts: Fact[] =
        created === undefined ? [] : [{ kind: 'authenticator_created', authenticator: created }]
      facts.push(...proven(account, target, channel ?? null))
      facts.push({ kind: 'authentication_used', authentication, authenticator_id: id, target })
      const message = `authenticate_${kind}_oob` as const
      const entered = id === null ? {} : { entered: { authenticator_id: id } }
      return yield* beginOtp(
        { ...planFor(view, account, target), message, facts, ...entered },
        channel,
      )
    },
    creation: {
      *offer(branch, account, view) {
        const { maximum } = view.config.authenticator.oob_otp[medium]
        if (storedOf(account).length >= maximum) return undefined
        const shown: Record<string, Json> = { otp_form: formOf(view), channels: channelsOf(view) }
        if (branch.target_step === undefined) return { option: { authentication, ...shown } }
        const identityId = targetStep(view, branch.target_step).identity_id
        const target = account.identities.find(({ id }) => id === identityId)?.[claim]
        if (target === undefined || storedOf(account).some((one) => one.target === target))
          return undefined
        if (isTheFirst(account, target, view)) return undefined
        const isRequired = branch.verification_required !== false
        const about = {
          masked_display_name: mask(target),
          verification_required: isRequired && !isVerified(account, claim, target),
        }
        const needs_code = isRequired && needsCode(account, target)
        return {
          option: { authentication, ...shown, target: about },
          hidden: { target, needs_code },
        }
      },
      schema: (offered) =>
        hiddenOf(offered) === undefined
          ? { required: ['target'], properties: { target: { type: 'string' } } }
          : {},
      *create(offered, input, account, view) {
        const known = hiddenOf(offered)?.target
        const target = known ?? readTarget(medium, input, rulesOf(view))
        if (
          storedOf(account).some((one) => one.target === target) ||
          isTheFirst(account, target, view)
        ) {
          throw authenticatorTaken()
        }
        const authenticator = yield* newAuthenticator(account, target, view)
        const created = { kind: 'authenticator_created', authenticator } as const
        const entered = { authenticator_id: authenticator.id }
        const isAsked = known === undefined || offered.hidden?.needs_code !== false
        if (!isAsked || !needsCode(account, target)) {
          const fact: Fact = isShown(target, view) ? created : { ...created, is_unshown: true }
          return { facts: [fact], entered }
        }
        const facts = [...proven(account, target, null), created]
        const message = `setup_${kind}_oob` as const
        const channel = channelsOf(view).find((one) => one === input.channel)
        return yield* beginOtp(
          { ...planFor(view, account, target), message, facts, entered },
          channel,
        )
      },
    },
  }
}

function channelsIn({ option }: OfferedOption): readonly Channel[] {
  return Array.isArray(option.channels) ? (option.channels as readonly Channel[]) : []
}

/** The normalised address, for comparisons with stored ones. */
function plainAddress(medium: Medium, text: string): string {
  return medium === 'email' ? text.trim().toLowerCase() : text.trim()
}

function readTarget(medium: Medium, { target }: FlowInput, rules: LoginIdRules): string {
  const type = medium === 'email' ? 'email' : 'phone'
  const read = readLoginId(type, typeof target === 'string' ? target : '', rules, 'look-up')
  if ('loginId' in read) return read.loginId.normalized
  throw validationFailed([{ location: '/target', ...read.problem }], 'invalid target')
}
