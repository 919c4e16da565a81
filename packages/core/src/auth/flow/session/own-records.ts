import type { Account } from '../../accounts/account.ts'
import type { SessionRecord } from '../../accounts/session-record.ts'
import type { Fact } from '../state.ts'
import { authenticationOf } from './used-authenticators.ts'

/** The identities and authenticators that a flow has used or set up, by id. */
export function ownRecords(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap((fact) => ownRecord(fact) ?? [])
}

function ownRecord(fact: Fact): string | null | undefined {
  switch (fact.kind) {
    case 'identity_used':
      return fact.identity_id
    case 'identity_created':
    case 'identity_updated':
    case 'identity_removed':
      return fact.identity.id
    case 'authentication_used':
    case 'password_changed':
      return fact.authenticator_id
    case 'authenticator_created':
      return fact.authenticator.id
    default:
      return undefined
  }
}

/** More than an account has. */
const maxOwn = 100

/** The records of a session after a further flow. */
export function addOwn(
  before: readonly string[] | undefined,
  facts: readonly Fact[],
): readonly string[] {
  return [...new Set([...(before ?? []), ...ownRecords(facts)])].slice(-maxOwn)
}

/** The records that a session has used or set up. Of an older session only the authenticators are known, by their names. */
export function ownOf(
  { own, amr }: Pick<SessionRecord, 'own' | 'amr'>,
  { authenticators }: Account,
): readonly string[] {
  if (own !== undefined) return own
  return authenticators.flatMap((one) =>
    amr.includes(`x_${authenticationOf(one)}`) ? [one.id] : [],
  )
}
