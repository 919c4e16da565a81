import type { Account } from '../../accounts/account.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowView } from '../../flow/view.ts'
import { mailboxOf } from '../../login-ids/mailbox.ts'

/** Whether a flow has used an address as the first factor, or has made it one. */
export function isFirstFactor({ state }: Pick<FlowView, 'state'>, target: string): boolean {
  const mailbox = mailboxOf(target)
  return state.facts.some((fact) => addressShownBy(fact) === mailbox)
}

function addressShownBy(fact: Fact): string | undefined {
  if (fact.kind === 'authentication_used') return fact.target && mailboxOf(fact.target)
  if (fact.kind !== 'authenticator_created' || fact.authenticator.kind === 'secondary') {
    return undefined
  }
  return 'target' in fact.authenticator ? mailboxOf(fact.authenticator.target) : undefined
}

/** Whether codes to an address are the only first factor of an account. */
export function isOnlyWayIn(account: Account, target: string, { config }: FlowView): boolean {
  const { primary_authenticators: first } = config.authentication
  const mailbox = mailboxOf(target)
  const addresses = account.identities.flatMap((identity) => {
    if (identity.type !== 'login_id') return []
    const { email, phone_number: phone } = identity
    return [
      ...(email !== undefined && first.includes('oob_otp_email') ? [email] : []),
      ...(phone !== undefined && first.includes('oob_otp_sms') ? [phone] : []),
    ]
  })
  const ways = new Set(addresses.map(mailboxOf))
  if (!ways.delete(mailbox) || ways.size > 0) return false
  const hasOther = account.authenticators.some((one) => {
    if (one.kind !== 'primary' || 'target' in one) return false
    return one.type !== 'password' || first.includes('password')
  })
  return !hasOther && account.identities.every(({ type }) => type === 'login_id')
}
