import type { GatehouseError } from '../errors.ts'
import { invalidInput } from '../input/refusal.ts'
import type { AuthOptions } from './auth-options.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import { hasWebhooks } from './config/hook-handlers.ts'
import { needsStrength } from './kinds/password/password-policy.ts'
/** Refuses a configuration that needs a port which was not passed in. */
export function checkPorts(config: LoadedAuthConfig, options: AuthOptions): void {
  checkStrength(config, options)
  checkProviders(config, options)
  checkBotVerifier(config, options)
  if (options.hookSecret === undefined && hasWebhooks(config.hook)) {
    throw missing('hookSecret', 'a secret, since `hook` has handlers, whose webhooks it signs')
  }
}

function checkProviders(
  { authentication, identity, external_jwt }: LoadedAuthConfig,
  {
    oauth,
    externalJwt,
    ldap,
    passkeys,
  }: Pick<AuthOptions, 'oauth' | 'externalJwt' | 'ldap' | 'passkeys'>,
): void {
  if (identity.oauth.providers.length > 0 && oauth === undefined) {
    const expected = 'an OAuthClient, as createOAuthClient() of @gatehouse/core/oauth makes it'
    throw missing('oauth', `${expected}, since identity providers are configured`)
  }
  if (external_jwt.issuers.length > 0 && externalJwt === undefined) {
    const expected =
      'an ExternalJwtVerifier, as createExternalJwtVerifier() of @gatehouse/core/external-jwt makes it'
    throw missing('externalJwt', `${expected}, since issuers are configured`)
  }
  if (identity.ldap.servers.length > 0 && ldap === undefined) {
    const expected = 'an LdapClient, as createLdapClient() of @gatehouse/core/ldap makes it'
    throw missing('ldap', `${expected}, since directories are configured`)
  }
  if (authentication.identities.includes('passkey') && passkeys === undefined) {
    const expected = 'Passkeys, as createPasskeys() of @gatehouse/core/passkeys makes it'
    throw missing('passkeys', `${expected}, since passkeys are configured`)
  }
}

/** Refuses bot protection without a verifier for the configured provider. */
function checkBotVerifier(
  { bot_protection: { enabled, provider } }: LoadedAuthConfig,
  { botVerifier }: Pick<AuthOptions, 'botVerifier'>,
): void {
  if (!enabled) return
  if (botVerifier === undefined) {
    const expected =
      'a BotVerifier, as createTurnstileVerifier() or createRecaptchaVerifier() makes it'
    throw missing('botVerifier', `${expected}, since bot_protection is enabled`)
  }
  if (botVerifier.type === undefined || botVerifier.type === provider?.type) return
  const expected = `one for bot_protection.provider.type "${provider?.type}"`
  throw invalidInput('options.botVerifier', expected, `one for "${botVerifier.type}"`)
}

/** Refuses a policy with a minimum strength if nothing can rate passwords. */
function checkStrength(
  { authenticator }: LoadedAuthConfig,
  { passwordStrength }: Pick<AuthOptions, 'passwordStrength'>,
): void {
  if (passwordStrength !== undefined || !needsStrength(authenticator.password.policy)) return
  const expected =
    'a function, as createPasswordStrength() of @gatehouse/core/password-strength makes it'
  throw missing('passwordStrength', `${expected}, since the policy has a minimum_guessable_level`)
}

/** The error for an option that the configuration needs. */
const missing = (option: string, expected: string): GatehouseError =>
  invalidInput(`options.${option}`, expected, 'undefined')
