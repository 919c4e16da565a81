import { pathText } from '../../../document/decode-document.ts'
import { isLoopbackHost } from '../../../http/loopback.ts'
import { parseUrl } from '../../../http/parse-url.ts'
import type { AuthDocument } from '../auth-document.ts'
import type { LoadedAuthConfig } from '../config.ts'
import type { FlowDefinition } from '../flow-definition.ts'
import { allSteps, branchesOf } from '../flows/all-steps.ts'
import { flowGrammars } from '../flows/flow-grammar.ts'
import { openDoorsOf } from '../flows/open-doors.ts'
import { isWebhookUrl } from '../hook-handlers.ts'
import { isOpenToAll } from '../oauth-providers.ts'
import { idleRules, missingLogins } from './linking-checks.ts'

type Config = Omit<LoadedAuthConfig, 'warnings'>

/** Probable mistakes across sections; each begins with a path. */
export function configWarnings(
  config: Config,
  { authentication_flow }: AuthDocument,
): readonly string[] {
  return [
    ...flowWarnings(authentication_flow),
    ...namelessHost(config),
    ...noWayIn(config),
    ...idleProviders(config),
    ...openProviders(config),
    ...directories(config),
    ...idleAuthenticators(config),
    ...idleSecondFactor(config),
    ...idleRules(config),
    ...missingLogins(config),
    ...idleProtection(config),
    ...testModes(config),
    ...idleHandlers(config),
    ...openHandlers(config),
    ...openIssuers(config),
  ]
}

function flowWarnings(section: AuthDocument['authentication_flow']): readonly string[] {
  const warnings: string[] = []
  for (const [key, { type }] of Object.entries(flowGrammars)) {
    // The keys of the table.
    for (const [index, { steps }] of section[key as keyof typeof flowGrammars].entries()) {
      const path = ['authentication_flow', key, index, 'steps']
      for (const door of openDoorsOf({ type, steps })) warnings.push(`${pathText(path)}: ${door}`)
    }
  }
  return warnings
}

/** Browsers make passkeys for names alone. */
function namelessHost({ authentication, http }: Config): readonly string[] {
  const origin = parseUrl(http.public_origin)
  if (!authentication.identities.includes('passkey') || origin === undefined) return []
  // A parsed URL has addresses in these forms and no other.
  const isAddress = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(origin.hostname)
  return isAddress
    ? ['http.public_origin: is an address, and browsers make passkeys for names alone']
    : []
}

/** The generated flows are made of what people are known by. */
function noWayIn({ authentication, identity }: Config): readonly string[] {
  const { identities } = authentication
  const hasKeys = identity.login_id.keys.length > 0
  if (hasKeys && identities.includes('login_id')) return []
  if (identity.oauth.providers.length > 0 && identities.includes('oauth')) return []
  if (identity.ldap.servers.length > 0 && identities.includes('ldap')) return []
  const path = hasKeys ? 'authentication.identities' : 'identity.login_id.keys'
  return [`${path}: leaves no login ID and no provider, so the generated flows let nobody in`]
}

/** Directories that are never asked, or that passwords reach in clear text. */
function directories({ authentication, identity }: Config): readonly string[] {
  const { servers } = identity.ldap
  const isOffered = authentication.identities.includes('ldap')
  const idle =
    'authentication.identities: lacks ldap, so the servers of identity.ldap are never offered'
  const open = servers.flatMap(({ url, start_tls: isUpgraded }, index) =>
    /^ldap:/i.test(url) && !isUpgraded
      ? [
          `identity.ldap.servers[${index}].url: sends passwords without TLS; use ldaps: or start_tls`,
        ]
      : [],
  )
  return [...(servers.length > 0 && !isOffered ? [idle] : []), ...open]
}

function idleProviders({ authentication, identity }: Config): readonly string[] {
  const { identities } = authentication
  if (identity.oauth.providers.length === 0 || identities.includes('oauth')) return []
  return [
    'authentication.identities: lacks oauth, so the providers of identity.oauth are never offered',
  ]
}

/** Providers whose codes may go anywhere, and addresses that any user can claim. */
function openProviders({ authentication, identity }: Config): readonly string[] {
  const { providers, allowed_redirect_uris: allowed } = identity.oauth
  if (providers.length === 0 || !authentication.identities.includes('oauth')) return []
  const anywhere =
    'identity.oauth.allowed_redirect_uris: is missing, so browsers may be sent from a provider to any page'
  const claimed = providers.flatMap((provider, index) =>
    isOpenToAll(provider) && provider.claims.email.assume_verified
      ? [
          `identity.oauth.providers[${index}].claims.email.assume_verified: is true, and any organization can set any address with the tenant ${provider.tenant}`,
        ]
      : [],
  )
  return [...(allowed === undefined ? [anywhere] : []), ...claimed]
}

function idleSecondFactor({ authentication }: Config): readonly string[] {
  const { secondary_authentication_mode: mode, secondary_applies_to: words } = authentication
  if (mode === 'if_exists' && authentication.secondary_authenticators.length === 0) {
    return [
      'authentication.secondary_authenticators: is empty, so nobody is asked for a second factor',
    ]
  }
  if (mode !== 'disabled' || words.length === 0) return []
  return [
    'authentication.secondary_applies_to: has no effect with secondary_authentication_mode: disabled',
  ]
}

/** Codes need an address. */
function idleAuthenticators({ authentication, identity }: Config): readonly string[] {
  const needs = [
    ['oob_otp_email', 'email'],
    ['oob_otp_sms', 'phone'],
  ] as const
  const hasLoginIds = authentication.identities.includes('login_id')
  return needs.flatMap(([authenticator, type]) => {
    if (!authentication.primary_authenticators.includes(authenticator)) return []
    if (hasLoginIds && identity.login_id.keys.some((key) => key.type === type)) return []
    const reason = `${authenticator} is never offered without a login ID key of the type ${type}`
    return [`authentication.primary_authenticators: ${reason}`]
  })
}

function idleProtection({ bot_protection, authentication_flow }: Config): readonly string[] {
  const { enabled, requirements } = bot_protection
  const modes = Object.values(requirements).map(({ mode }) => mode)
  const isRequired = modes.includes('always') || authentication_flow.flows.some(isProtected)
  if (enabled === isRequired) return []
  return enabled
    ? ['bot_protection: keeps nobody out: no requirement and no branch of a flow has mode: always']
    : ['bot_protection: is not enabled, so what has mode: always is open to machines']
}

const isProtected = ({ steps }: FlowDefinition): boolean =>
  allSteps(steps)
    .flatMap(branchesOf)
    .some((branch) => branch.bot_protection?.mode === 'always')

function testModes({ http, test_mode: modes }: Config): readonly string[] {
  if (http.allow_insecure) return []
  return Object.entries(modes)
    .filter(([, rules]) => rules.length > 0)
    .map(([key]) => `test_mode.${key}: is on, which is not for real users`)
}

/** Authgear runs these handlers itself. */
function idleHandlers({ hook }: Config): readonly string[] {
  return handlersOf(hook).flatMap(([path, { url }]) =>
    isWebhookUrl(url) ? [] : [`${path}.url: is code for Deno, which does not run here`],
  )
}

function openHandlers({ hook }: Config): readonly string[] {
  return handlersOf(hook).flatMap(([path, { url }]) => {
    const parsed = parseUrl(url)
    const isOpen = parsed?.protocol === 'http:' && !isLoopbackHost(parsed.hostname)
    return isOpen ? [`${path}.url: is not encrypted, and events say who people are`] : []
  })
}

/** Issuers whose tokens for another service sign up here too, and those that another one hides. */
function openIssuers({ external_jwt: { issuers } }: Config): readonly string[] {
  return issuers.flatMap(({ iss, aud }, index) => {
    const path = `external_jwt.issuers[${index}]`
    if (issuers.findIndex((one) => one.iss === iss) < index) {
      return [`${path}.iss: is here already, and the first one counts`]
    }
    return aud.length === 0
      ? [`${path}.aud: is missing, so tokens for any audience are accepted`]
      : []
  })
}

const handlersOf = (
  hook: Config['hook'],
): readonly (readonly [string, { readonly url: string }])[] =>
  (['blocking_handlers', 'non_blocking_handlers'] as const).flatMap((key) =>
    hook[key].map((handler, index) => [`hook.${key}[${index}]`, handler] as const),
  )
