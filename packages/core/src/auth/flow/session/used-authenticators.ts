import type { AuthenticatorRecord } from '../../accounts/authenticator-record.ts'
import type { FlowKinds } from '../kinds.ts'
import type { Fact } from '../state.ts'
import type { UsedAuthenticator } from './amr.ts'

type Named = Omit<UsedAuthenticator, 'amr' | 'kind'>

/** All authenticators that were used in a flow, including new ones. */
export function usedAuthenticators(
  facts: readonly Fact[],
  { authenticators }: Pick<FlowKinds, 'authenticators'>,
): readonly UsedAuthenticator[] {
  return facts.flatMap((fact) => {
    const named = namedBy(fact)
    const kind = named && authenticators.get(named.authentication)
    if (named === undefined || kind === undefined) return []
    return [{ ...named, amr: kind.amr, kind: kind.kind }]
  })
}

function namedBy(fact: Fact): Named | undefined {
  if (fact.kind === 'authentication_used') {
    const { authentication, authenticator_id: id, target, same_as } = fact
    return {
      authentication,
      id,
      ...(target === undefined ? {} : { target }),
      ...(same_as === undefined ? {} : { same_as }),
    }
  }
  if (fact.kind !== 'authenticator_created') return undefined
  const { authenticator, is_unshown } = fact
  return {
    authentication: authenticationOf(authenticator),
    id: authenticator.id,
    ...('target' in authenticator ? { target: authenticator.target } : {}),
    ...(is_unshown === undefined ? {} : { is_unshown }),
  }
}

/** The name of an authenticator in flows, as `primary_password`. */
export const authenticationOf = (record: AuthenticatorRecord): string =>
  record.type === 'custom' ? record.authentication : `${record.kind}_${record.type}`
