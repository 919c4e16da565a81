import type { Json } from '../../../storage/storage.ts'
import { authenticatorTaken, validationFailed } from '../../errors.ts'
import { isVerified } from '../../flow/account.ts'
import type { Authenticator } from '../../flow/authenticator.ts'
import { targetStep } from '../../flow/target-step.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import { type LoginIdRules, readLoginId } from '../../login-ids/login-id.ts'
import {
  type AddressFactor,
  authenticationBy,
  canBeSetUp,
  channelsOf,
  claimOf,
  decideSetUp,
  formOf,
  hiddenOf,
  masked,
  needsCode,
  newAuthenticator,
  planFor,
  provenFacts,
  storedOf,
} from './address-factor.ts'
import { beginOtp } from './otp-prompt.ts'

/** Setting an address up as a factor: that of an identity of the flow, or one that the user names. */
export const addressSetUp = (
  factor: AddressFactor,
  rulesOf: (view: FlowView) => LoginIdRules,
): NonNullable<Authenticator['creation']> => ({
  *offer(branch, account, view) {
    const { maximum } = view.config.authenticator.oob_otp[factor.medium]
    if (storedOf(factor, account).length >= maximum) return undefined
    const authentication = authenticationBy(factor)
    const shown: Record<string, Json> = {
      otp_form: formOf(factor, view),
      channels: channelsOf(factor, view),
    }
    if (branch.target_step === undefined) return { option: { authentication, ...shown } }
    const identityId = targetStep(view, branch.target_step).identity_id
    const target = account.identities.find(({ id }) => id === identityId)?.[claimOf(factor)]
    if (target === undefined || !canBeSetUp(factor, account, view, target)) return undefined
    const isRequired = branch.verification_required !== false
    const about = {
      masked_display_name: masked(factor, target),
      verification_required: isRequired && !isVerified(account, claimOf(factor), target),
    }
    return {
      option: { authentication, ...shown, target: about },
      hidden: { target, needs_code: isRequired && needsCode(factor, account, target) },
    }
  },
  schema: (offered) =>
    hiddenOf(offered) === undefined
      ? { required: ['target'], properties: { target: { type: 'string' } } }
      : {},
  *create(offered, input, account, view) {
    const known = hiddenOf(offered)?.target
    const target = known ?? readTarget(factor, input, rulesOf(view))
    const isAsked = known === undefined || offered.hidden?.needs_code !== false
    const setUp = decideSetUp(factor, account, view, { target, isAsked })
    if (setUp === 'taken') throw authenticatorTaken()
    const authenticator = yield* newAuthenticator(factor, account, view, target)
    const created = { kind: 'authenticator_created', authenticator } as const
    const entered = { authenticator_id: authenticator.id }
    if (setUp !== 'to prove') {
      return { facts: [setUp === 'proven' ? created : { ...created, is_unshown: true }], entered }
    }
    const facts = [...provenFacts(factor, account, target, null), created]
    const message = `setup_${factor.kind}_oob` as const
    const channel = channelsOf(factor, view).find((one) => one === input.channel)
    return yield* beginOtp(
      { ...planFor(factor, account, view, target), message, facts, entered },
      channel,
    )
  },
})

function readTarget({ medium }: AddressFactor, { target }: FlowInput, rules: LoginIdRules): string {
  const type = medium === 'email' ? 'email' : 'phone'
  const read = readLoginId(type, typeof target === 'string' ? target : '', rules, 'look-up')
  if ('loginId' in read) return read.loginId.normalized
  throw validationFailed([{ location: '/target', ...read.problem }], 'invalid target')
}
