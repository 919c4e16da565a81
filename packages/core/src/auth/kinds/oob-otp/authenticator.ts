import type { Channel } from '../../config/flow-definition.ts'
import type { Authenticator, OfferedOption } from '../../flow/authenticator.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowView } from '../../flow/view.ts'
import { isUsed } from '../../limits/attempt.ts'
import type { LoginIdRules } from '../../login-ids/login-id.ts'
import {
  type AddressFactor,
  authenticationBy,
  channelsOf,
  formOf,
  hiddenOf,
  masked,
  newAuthenticator,
  planFor,
  provenFacts,
  signInTargets,
} from './address-factor.ts'
import { isFirstFactor } from './first-factor.ts'
import { beginOtp } from './otp-prompt.ts'
import { addressSetUp } from './set-up-address.ts'

/** Authentication by a code or link that is sent to an address. */
export function createOobOtpAuthenticator(
  kind: AddressFactor['kind'],
  medium: AddressFactor['medium'],
  rulesOf: (view: FlowView) => LoginIdRules,
): Authenticator {
  const factor: AddressFactor = { kind, medium }
  const authentication = authenticationBy(factor)
  return {
    authentication,
    kind,
    amr: ['otp', ...(medium === 'sms' ? ['sms'] : []), `x_${authentication}`],
    *offer(branch, account, view) {
      const form = formOf(factor, view)
      const channels = channelsOf(factor, view)
      return signInTargets(factor, branch, account, view)
        .filter(({ target }) =>
          kind === 'secondary'
            ? !isFirstFactor(view, target)
            : !isUsed(view, authentication, { target }),
        )
        .map((hidden) => ({
          option: {
            authentication,
            otp_form: form,
            masked_display_name: masked(factor, hidden.target),
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
      return hiddenOf(offered)?.target === plainAddress(factor, input.target)
    },
    *authenticate(offered, input, account, view) {
      const hidden = hiddenOf(offered)
      if (hidden === undefined) throw new TypeError('an option has no address')
      const { target } = hidden
      const created =
        hidden.authenticator_id === null
          ? yield* newAuthenticator(factor, account, view, target)
          : undefined
      const id = hidden.authenticator_id ?? created?.id ?? null
      const channel = channelsIn(offered).find((one) => one === input.channel)
      const facts: Fact[] =
        created === undefined ? [] : [{ kind: 'authenticator_created', authenticator: created }]
      facts.push(...provenFacts(factor, account, target, channel ?? null))
      facts.push({ kind: 'authentication_used', authentication, authenticator_id: id, target })
      const message = `authenticate_${kind}_oob` as const
      const entered = id === null ? {} : { entered: { authenticator_id: id } }
      return yield* beginOtp(
        { ...planFor(factor, account, view, target), message, facts, ...entered },
        channel,
      )
    },
    creation: addressSetUp(factor, rulesOf),
  }
}

function channelsIn({ option }: OfferedOption): readonly Channel[] {
  return Array.isArray(option.channels) ? (option.channels as readonly Channel[]) : []
}

/** The normalised address, for comparisons with stored ones. */
const plainAddress = ({ medium }: AddressFactor, text: string): string =>
  medium === 'email' ? text.trim().toLowerCase() : text.trim()
