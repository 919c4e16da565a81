import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import { randomBytes } from '../crypto.ts'
import { createDecisionQueue } from '../decision-queue.ts'
import type { AnsweringRoute } from '../http/route.ts'
import { type Ids, systemIds } from '../ids.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics.ts'
import { e164PhoneNumbers } from '../phone/e164-phone-numbers.ts'
import type { Storage } from '../storage.ts'
import type { Authenticator } from './authenticator.ts'
import { createListeners } from './codes/listeners.ts'
import { createMessages } from './codes/message-templates.ts'
import type { MessageTranslations } from './codes/message-texts.ts'
import { bucketCollection, codeCollection, lockoutCollection } from './collections.ts'
import type { AuthConfig } from './config.ts'
import type { AuthContext } from './context.ts'
import { authRoutes } from './http/routes.ts'
import type { IdentificationKind } from './identification.ts'
import { createFlowKinds } from './kinds.ts'
import { createLoginIdRules, type LoginIdLists } from './login-ids/login-id-rules.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import { createBcryptVerifier } from './passwords/bcrypt-hash.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import { combineHashers } from './passwords/password-hasher.ts'
import { needsStrength } from './passwords/password-policy.ts'
import { createScryptHasher } from './passwords/scrypt-hasher.ts'
import type {
  AuthEvent,
  AuthorizationBridge,
  BotVerifier,
  GeoIp,
  Hook,
  IdTokenVerifier,
  PromotionVerifier,
  Senders,
} from './ports.ts'
import type { OAuthClient } from './providers/oauth-client.ts'
import { type AuthConfigSource, readAuthConfig } from './read-auth-config.ts'
import { createSecretBox, type SecretKey } from './secret-box.ts'

/** Options of {@link createAuth}. */
export interface AuthOptions {
  /** Where users, flows and all else is kept. */
  storage: Storage
  /** A document in the shape of `authgear.yaml`: its text, or its values. */
  config: AuthConfigSource
  /** The keys that states and secrets are sealed under. The first seals; the others still open. */
  secrets: readonly SecretKey[]
  /** Who sends mail and messages (default: nobody, and what needs one is refused). */
  senders?: Senders
  /** Texts of messages in other languages, or in other words (default English). */
  messages?: MessageTranslations
  authorizationBridge?: AuthorizationBridge
  /** Called for what happened, at least once. */
  onEvent?: (event: AuthEvent) => void | Promise<void>
  /** Called before something happens; may refuse it. */
  hook?: Hook
  /**
   * Who tells people and machines apart: `createTurnstileVerifier()`, `createRecaptchaVerifier()`, or one of your own (needed where
   * `bot_protection` is enabled).
   */
  botVerifier?: BotVerifier
  /** Where addresses are, for events (default: nobody knows). */
  geoIp?: GeoIp
  /** Whom ID tokens name (default: nobody knows, and the identification `id_token` and flows `reauth` by it are not offered). */
  idTokenVerifier?: IdTokenVerifier
  /** Who has signed a login hint (default: nobody knows, and only a session says who is promoted). */
  promotionVerifier?: PromotionVerifier
  /** How passwords are hashed (default scrypt, which also knows the bcrypt hashes of imported users). */
  hasher?: PasswordHasher
  /** How hard a password is to guess, 0 to 4 (default: not known, which a policy with a level above 1 does not accept). */
  passwordStrength?: (password: string) => number | Promise<number>
  /** Who speaks to identity providers: `createOAuthClient()` of `@gatehouse/core/oauth` (needed where providers are configured). */
  oauth?: OAuthClient
  /** Who checks passkeys: `createPasskeys()` of `@gatehouse/core/passkeys` (needed where they are configured). */
  passkeys?: Passkeys
  /** What is known of phone numbers (default: their shape). */
  phoneNumbers?: PhoneNumbers
  /** Names and domains that login IDs are checked against. */
  lists?: LoginIdLists
  /** Further ways to say who one is. */
  identifications?: readonly IdentificationKind[]
  /** Further ways to show it. */
  authenticators?: readonly Authenticator[]
  /** How many bytes the body of a request may have (default 10 MiB). */
  maxBodyBytes?: number
  clock?: Clock
  ids?: Ids
  /** Cryptographically strong random bytes; for tests. */
  random?: (size: number) => Uint8Array
  /** Default: silent. */
  logger?: Logger
  /** Where metrics are registered (default: a registry of its own). */
  metrics?: MetricsRegistry
}

const defaultBodyBytes = 10 * 1024 * 1024

/**
 * The authentication flow service over a storage: what every operation takes first. Starts nothing.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`.
 * @throws {TypeError} if an option does not fit.
 * @throws {RangeError} if `maxBodyBytes` is no whole number from 1 on.
 */
export function createAuth(options: AuthOptions): AuthContext {
  const {
    storage,
    clock = systemClock,
    ids = systemIds,
    random = randomBytes,
    logger = silentLogger,
    metrics = createMetricsRegistry(),
    hasher = combineHashers(createScryptHasher(), [createBcryptVerifier()]),
    phoneNumbers = e164PhoneNumbers,
    lists = {},
    identifications = [],
    authenticators = [],
    maxBodyBytes = defaultBodyBytes,
  } = options
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1) {
    throw new RangeError(`maxBodyBytes: expected a number of bytes, got ${maxBodyBytes}`)
  }
  const readConfig = (source: AuthConfigSource): AuthConfig => {
    const read = readAuthConfig(source, {
      identifications: identifications.map(({ identification }) => identification),
      authentications: authenticators.map(({ authentication }) => authentication),
    })
    checkStrength(read, options)
    checkPorts(read, options)
    checkBotVerifier(read, options)
    return read
  }
  const config = { current: readConfig(options.config) }
  const rulesOf = createLoginIdRules(lists, phoneNumbers)
  const kinds = createFlowKinds({
    rulesOf: (view) => rulesOf(view.config),
    phoneNumbers,
    hasIdTokens: options.idTokenVerifier !== undefined,
    identifications,
    authenticators,
  })
  const routes: AnsweringRoute[] = []
  const auth: AuthContext = Object.freeze({
    storage,
    clock,
    ids,
    random,
    logger,
    metrics,
    config,
    readConfig,
    kinds,
    senders: options.senders ?? {},
    messages: createMessages(options.messages),
    bridge: options.authorizationBridge,
    hasher,
    oauth: options.oauth,
    passkeys: options.passkeys,
    passwordStrength: options.passwordStrength,
    phoneNumbers,
    loginIdRules: rulesOf,
    secrets: createSecretBox(options.secrets),
    onEvent: options.onEvent,
    hook: options.hook,
    botVerifier: options.botVerifier,
    geoIp: options.geoIp,
    idTokenVerifier: options.idTokenVerifier,
    promotionVerifier: options.promotionVerifier,
    queues: {
      buckets: createDecisionQueue({ storage, clock, collection: bucketCollection }),
      lockouts: createDecisionQueue({ storage, clock, collection: lockoutCollection }),
      codes: createDecisionQueue({ storage, clock, collection: codeCollection }),
    },
    sending: new Set<Promise<void>>(),
    listeners: createListeners({ storage, clock, logger }),
    maxBodyBytes,
    routes,
  })
  for (const warning of config.current.warnings) logger.warn({}, warning)
  routes.push(...authRoutes(auth))
  return auth
}

/** What a configuration speaks of needs somebody who does it. */
function checkPorts(
  { authentication, identity }: AuthConfig,
  { oauth, passkeys }: Pick<AuthOptions, 'oauth' | 'passkeys'>,
): void {
  if (identity.oauth.providers.length > 0 && oauth === undefined) {
    throw new TypeError(
      'oauth: expected an OAuthClient, as createOAuthClient() of @gatehouse/core/oauth makes it, since identity providers are configured',
    )
  }
  if (authentication.identities.includes('passkey') && passkeys === undefined) {
    throw new TypeError(
      'passkeys: expected Passkeys, as createPasskeys() of @gatehouse/core/passkeys makes it, since passkeys are configured',
    )
  }
}

/** Whoever must show to be no machine must be looked at by who knows the provider. */
function checkBotVerifier(
  { bot_protection: { enabled, provider } }: AuthConfig,
  { botVerifier }: Pick<AuthOptions, 'botVerifier'>,
): void {
  if (!enabled) return
  if (botVerifier === undefined) {
    throw new TypeError(
      'botVerifier: expected a BotVerifier, as createTurnstileVerifier() or createRecaptchaVerifier() makes it, since bot_protection is enabled',
    )
  }
  if (botVerifier.type === undefined || botVerifier.type === provider?.type) return
  throw new TypeError(
    `botVerifier: expected one for bot_protection.provider.type "${provider?.type}", got one for "${botVerifier.type}"`,
  )
}

/** A policy that asks how hard a password is to guess needs somebody who knows. */
function checkStrength(
  { authenticator }: AuthConfig,
  { passwordStrength }: Pick<AuthOptions, 'passwordStrength'>,
): void {
  if (passwordStrength !== undefined || !needsStrength(authenticator.password.policy)) return
  throw new TypeError(
    'passwordStrength: expected a function, as createPasswordStrength() of @gatehouse/core/password-strength makes it, since the policy has a minimum_guessable_level',
  )
}
