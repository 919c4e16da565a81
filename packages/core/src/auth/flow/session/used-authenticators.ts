import type { AuthenticatorRecord } from '../../accounts/records.ts'
import type { FlowKinds } from '../kinds.ts'
import type { Fact } from '../state.ts'
import type { UsedAuthenticator } from './amr.ts'

interface Named {
  readonly name: string
  readonly id: string | null
}

/** All authenticators that were used in a flow, including new ones. */
export function usedAuthenticators(
  facts: readonly Fact[],
  { authenticators }: Pick<FlowKinds, 'authenticators'>,
): readonly UsedAuthenticator[] {
  return facts.flatMap((fact) => {
    const named = namedBy(fact)
    const kind = named && authenticators.get(named.name)
    if (named === undefined || kind === undefined) return []
    return [{ authentication: named.name, amr: kind.amr, kind: kind.kind, id: named.id }]
  })
}

function namedBy(fact: Fact): Named | undefined {
  if (fact.kind === 'authentication_used') {
    return { name: fact.authentication, id: fact.authenticator_id }
  }
  if (fact.kind !== 'authenticator_created') return undefined
  return { name: authenticationOf(fact.authenticator), id: fact.authenticator.id }
}

const authenticationOf = (record: AuthenticatorRecord): string =>
  record.type === 'custom' ? record.authentication : `${record.kind}_${record.type}`
