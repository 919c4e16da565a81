import { quoteKey } from '../../../document/problem.ts'
import { claimOfLoginId } from '../../accounts/identities.ts'
import type { ClaimName } from '../../accounts/identity-record.ts'
import type { LinkingRule, LoadedAuthConfig } from '../config.ts'
import type { FlowDefinition, IdentifyBranch } from '../flow-definition.ts'
import { allSteps } from '../flows/all-steps.ts'

/** The claims of identifications that are login IDs. */
const claims: Readonly<Record<string, ClaimName>> = claimOfLoginId

type Config = Omit<LoadedAuthConfig, 'warnings'>
type LinkingSort = 'oauth' | 'login_id'

/** Rules of account linking by which no accounts are ever linked. */
export function idleRules(config: Config): readonly string[] {
  return (['oauth', 'login_id'] as const).flatMap((sort) =>
    config.account_linking[sort].flatMap((rule, index) => {
      const reason = rule.action === 'login_and_link' ? whyIdle(rule, sort, config) : undefined
      return reason === undefined
        ? []
        : [`account_linking.${sort}[${index}]: never links: ${reason}`]
    }),
  )
}

function whyIdle(rule: LinkingRule, sort: LinkingSort, config: Config): string | undefined {
  const { identities, public_signup_disabled: isClosed } = config.authentication
  if (isClosed && !identities.includes('anonymous')) return 'nobody can sign up'
  if (!identities.includes(sort)) return `authentication.identities lacks ${sort}`
  const compared = [rule.claim, rule.user_claim]
  if (compared.includes('email') && compared.includes('phone_number')) {
    return 'no email address is a phone number'
  }
  return sort === 'oauth' ? whyProviderIdle(rule, config) : whyKeyIdle(rule, config)
}

function whyProviderIdle(
  { source, claim }: LinkingRule,
  { identity, account_linking }: Config,
): string | undefined {
  const provider = identity.oauth.providers.find(({ alias }) => alias === source)
  if (provider?.create_disabled) return 'the provider has create_disabled: true'
  const isUnproven = claim === 'preferred_username' && !account_linking.allow_unverified
  return isUnproven ? 'no provider verifies names, and allow_unverified is false' : undefined
}

/** Login IDs are made under the first key of their type. */
function whyKeyIdle({ source }: LinkingRule, { identity }: Config): string | undefined {
  const { keys } = identity.login_id
  const key = keys.find((one) => one.key === source)
  const first = keys.find(({ type }) => type === key?.type)
  return first === key
    ? undefined
    : `login IDs of the type are made under ${quoteKey(first?.key ?? '')}`
}

/** Sign-ups that link accounts by way of a login of their own name, if there is none. */
export function missingLogins(config: Config): readonly string[] {
  const { flows } = config.authentication_flow
  const logins = new Set(flows.filter(({ type }) => type === 'login').map(({ name }) => name))
  return flows.flatMap((flow) => {
    const { type, name } = flow
    if (name === 'default' || logins.has(name) || !linksByItsName(flow, config)) return []
    return [
      `authentication_flow.${type}_flows: the flow ${quoteKey(name)} links accounts by way of a login flow of the same name, which is not there`,
    ]
  })
}

function linksByItsName({ type, steps }: FlowDefinition, config: Config): boolean {
  if (type !== 'signup' && type !== 'promote') return false
  return allSteps(steps).some(
    (step) => step.type === 'identify' && step.one_of.some((one) => needsLogin(one, config)),
  )
}

function needsLogin(
  { identification, account_linking: overridden = {} }: IdentifyBranch,
  { account_linking: linking }: Config,
): boolean {
  const sort = identification === 'oauth' ? 'oauth' : 'login_id'
  const rules = linking[sort].filter(
    ({ claim }) => sort === 'oauth' || claim === claims[identification],
  )
  return rules.some((rule) => {
    const override = overridden[sort]?.find(({ name }) => name === rule.name)
    const action = override?.action ?? rule.action
    return action === 'login_and_link' && override?.login_flow === undefined
  })
}
