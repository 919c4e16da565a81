import { createRecentMap } from '../async/recent-map.ts'
import { randomBytes } from '../crypto/crypto.ts'
import { type Ids, systemIds } from '../crypto/ids.ts'
import type { GatehouseError } from '../errors.ts'
import { registerHistoryMetrics } from '../history/history-metrics.ts'
import type { Route } from '../http/route.ts'
import { createHttpClient } from '../http-client/http-client.ts'
import type { SendRequest } from '../http-client/send-request.ts'
import { configSource } from '../input/config-source.ts'
import {
  anyText,
  type Decode,
  decodeInput,
  environmentInput,
  exactly,
  filledText,
  functionLike,
  functionOrObject,
  having,
  listOf,
  objectOf,
  optional,
  rawText,
  recordOf,
  wholeFrom,
} from '../input/decode.ts'
import { clockPort, idsPort, loggerPort, metricsPort, storagePort } from '../input/ports.ts'
import { invalidInput, refuse } from '../input/refusal.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics.ts'
import { createDecisionQueue } from '../storage/decision-queue.ts'
import { readableStorage, registerUnreadableRecords } from '../storage/readable-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock } from '../time/clock.ts'
import { systemClock } from '../time/clock.ts'
import {
  bucketCollection,
  codeCollection,
  lockoutCollection,
  type StateRecord,
} from './collections.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import { hasWebhooks } from './config/hook-handlers.ts'
import { type AuthConfigSource, readAuthConfig } from './config/read-auth-config.ts'
import type { AuthContext } from './context.ts'
import { createAuditLog } from './events/audit-log.ts'
import { hookAnswers } from './events/hook-answers.ts'
import { createPostEvent, type PostEvent } from './events/post-event.ts'
import type { ExternalJwtVerifier } from './external-jwt/external-jwt.ts'
import type { AnyAnswers } from './flow/asking.ts'
import type { Authenticator } from './flow/authenticator.ts'
import { flowAnswers } from './flow/flow-answers.ts'
import type { FlowRequest } from './flow/flow-request.ts'
import type { IdentificationKind } from './flow/identification.ts'
import type { FlowRun } from './flow/run.ts'
import { authRoutes } from './http/routes.ts'
import { externalJwtAnswers } from './kinds/external-jwt/external-jwt-answers.ts'
import { idTokenAnswers } from './kinds/id-token/id-token-answers.ts'
import { ldapAnswers } from './kinds/ldap/ldap-answers.ts'
import { loginIdLists } from './kinds/login-id/lists-input.ts'
import { createLoginIdRules, type LoginIdLists } from './kinds/login-id/login-id-rules.ts'
import { oauthAnswers } from './kinds/oauth/oauth-answers.ts'
import { createListeners } from './kinds/oob-otp/listeners.ts'
import { createMessages } from './kinds/oob-otp/message-templates.ts'
import type { MessageTexts, MessageTranslations } from './kinds/oob-otp/message-texts.ts'
import { otpAnswers } from './kinds/oob-otp/otp-answers.ts'
import { passkeyAnswers } from './kinds/passkey/passkey-answers.ts'
import { createArgon2Verifier } from './kinds/password/argon2-hash.ts'
import { createBcryptVerifier } from './kinds/password/bcrypt-hash.ts'
import { passwordAnswers } from './kinds/password/password-answers.ts'
import type { PasswordHasher } from './kinds/password/password-hasher.ts'
import { combineHashers, hasherPort } from './kinds/password/password-hasher.ts'
import { needsStrength } from './kinds/password/password-policy.ts'
import { createPbkdf2Verifier } from './kinds/password/pbkdf2-hash.ts'
import { createScryptHasher } from './kinds/password/scrypt-hasher.ts'
import { recoveryCodeAnswers } from './kinds/recovery-code/recovery-code-answers.ts'
import { totpAnswers } from './kinds/totp/totp-answers.ts'
import { createFlowKinds } from './kinds.ts'
import type { LdapClient } from './ldap-client/ldap.ts'
import { botProtectionAnswers } from './limits/bot-protection-answers.ts'
import { limitAnswers } from './limits/limit-answers.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import { registerAuthMetrics } from './metrics.ts'
import type { OAuthClient } from './oauth-client/oauth-client.ts'
import { e164PhoneNumbers } from './phone/e164-phone-numbers.ts'
import type {
  AuthEvent,
  AuthorizationBridge,
  BotVerifier,
  GeoIp,
  Hook,
  IdTokenVerifier,
  PromotionVerifier,
  Sender,
  Senders,
} from './ports.ts'
import { createSecretBox, type SecretKey } from './secrets/secret-box.ts'
import { sessionAnswers } from './sessions/session-answers.ts'
import { deviceAnswers } from './steps/device-answers.ts'
import type { Passkeys } from './webauthn/passkeys.ts'

/** Options of {@link createAuth}. */
export interface AuthOptions {
  /** Where users, flows and all other records are kept. */
  storage: Storage
  /** A document in the shape of `authgear.yaml`: its text, or its values. */
  config: AuthConfigSource
  /** The keys that seal states and secrets. The first one seals; the others still open. */
  secrets: readonly SecretKey[]
  /** Send mail and messages (default: none; steps that need a sender are refused). */
  senders?: Senders
  /** Texts of messages in other languages, or other wording (default: built-in English). */
  messages?: MessageTranslations
  authorizationBridge?: AuthorizationBridge
  /** Called at least once for each event. */
  onEvent?: (event: AuthEvent) => void | Promise<void>
  /** Called before an event; may refuse it. */
  hook?: Hook
  /** The secret that signs webhooks (needed where `hook` of the configuration has handlers). */
  hookSecret?: string
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, for webhooks (default none). */
  environment?: Readonly<Record<string, string | undefined>>
  /** Sends webhooks (default: an HTTP client that uses undici if it is installed). */
  send?: SendRequest
  /**
   * Checks bot protection: `createTurnstileVerifier()`, `createRecaptchaVerifier()`, or your own (needed where `bot_protection`
   * is enabled).
   */
  botVerifier?: BotVerifier
  /** Finds the country of an IP address, for events (default: none is known). */
  geoIp?: GeoIp
  /** Verifies ID tokens (default: none; the identification `id_token`, and the `reauth` flows that use it, are not offered). */
  idTokenVerifier?: IdTokenVerifier
  /** Verifies signed login hints (default: none; only a session identifies the user to promote). */
  promotionVerifier?: PromotionVerifier
  /** Hashes passwords (default scrypt, which also verifies the bcrypt, Argon2 and PBKDF2 hashes of imported users). */
  hasher?: PasswordHasher
  /** Rates how hard a password is to guess, 0 to 4 (default: none; a policy with a level above 1 is then refused). */
  passwordStrength?: (password: string) => number | Promise<number>
  /**
   * The client for identity providers: `createOAuthClient()` of `@gatehouse/core/oauth` (needed where providers are configured).
   */
  oauth?: OAuthClient
  /**
   * Verifies tokens of other issuers: `createExternalJwtVerifier()` of `@gatehouse/core/external-jwt` (needed where `external_jwt` is
   * configured).
   */
  externalJwt?: ExternalJwtVerifier
  /** Checks passwords in directories: `createLdapClient()` of `@gatehouse/core/ldap` (needed where servers are configured). */
  ldap?: LdapClient
  /** Creates and verifies passkeys: `createPasskeys()` of `@gatehouse/core/passkeys` (needed where passkeys are configured). */
  passkeys?: Passkeys
  /** Parses phone numbers (default: checks their shape only). */
  phoneNumbers?: PhoneNumbers
  /** Lists of names and domains to check login IDs against. */
  lists?: LoginIdLists
  /** More kinds of identification. */
  identifications?: readonly IdentificationKind[]
  /** More kinds of authenticator. */
  authenticators?: readonly Authenticator[]
  /** The limit on a request's body, in bytes (default 10 MiB). */
  maxBodyBytes?: number
  /** How long {@link startAuth} keeps the audit log, in ms; 0 records none (default 90 days). */
  auditRetentionMs?: number
  /** The most bytes that the packed audit log may take; the oldest is removed first; 0: no limit (default 128 MiB). */
  auditMaxBytes?: number
  clock?: Clock
  ids?: Ids
  /** Cryptographically strong random bytes; for tests. */
  random?: (size: number) => Uint8Array
  /** Default: silent. */
  logger?: Logger
  /** Where metrics are registered (default: a registry of its own). */
  metrics?: MetricsRegistry
}

const keyBytes: Decode<SecretKey['key']> = (value) => {
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  return typeof value === 'string' ? value : refuse('a Uint8Array or a string', value)
}

const secretKeyId: Decode<string> = (value) =>
  /^[\w-]{1,64}$/.test(rawText(value))
    ? rawText(value)
    : refuse('1 to 64 letters, digits, "_" and "-"', value)

const sender = optional(functionLike<Sender>('a function that sends a message'))
const portFunction = <T>(): Decode<T | undefined> => optional(functionLike<T>('a function'))

const decodeOptions = exactly<AuthOptions>({
  storage: storagePort,
  config: configSource,
  secrets: listOf(objectOf<SecretKey>({ id: secretKeyId, key: keyBytes })),
  senders: optional(exactly<Senders>({ sendEmail: sender, sendSms: sender, sendWhatsapp: sender })),
  messages: optional(
    recordOf(
      recordOf(
        exactly<MessageTexts>({
          subject: optional(anyText),
          text: anyText,
          html: optional(anyText),
        }),
      ),
    ),
  ),
  authorizationBridge: optional(
    having<AuthorizationBridge>('an AuthorizationBridge', 'resolve', 'finish'),
  ),
  onEvent: portFunction(),
  hook: portFunction(),
  hookSecret: optional(filledText),
  environment: optional(environmentInput),
  send: optional(functionLike('a function that sends a request')),
  botVerifier: optional(having<BotVerifier>('a BotVerifier', 'verify')),
  geoIp: optional(functionOrObject<GeoIp>),
  idTokenVerifier: optional(functionOrObject<IdTokenVerifier>),
  promotionVerifier: optional(functionOrObject<PromotionVerifier>),
  hasher: optional(hasherPort),
  passwordStrength: portFunction(),
  oauth: optional(
    having<OAuthClient>(
      'an OAuthClient, as createOAuthClient() makes it',
      'status',
      'authorizationUrl',
      'redeem',
    ),
  ),
  ldap: optional(
    having<LdapClient>('an LdapClient, as createLdapClient() makes it', 'authenticate'),
  ),
  externalJwt: optional(
    having<ExternalJwtVerifier>(
      'an ExternalJwtVerifier, as createExternalJwtVerifier() makes it',
      'verify',
    ),
  ),
  passkeys: optional(
    having<Passkeys>(
      'Passkeys, as createPasskeys() makes it',
      'creationOptions',
      'requestOptions',
      'verifyCreation',
      'verifyAssertion',
    ),
  ),
  phoneNumbers: optional(functionOrObject<PhoneNumbers>),
  lists: optional(loginIdLists),
  identifications: optional(
    listOf(having<IdentificationKind>('an IdentificationKind', 'options', 'schema', 'identify')),
  ),
  authenticators: optional(
    listOf(having<Authenticator>('an Authenticator', 'offer', 'schema', 'authenticate')),
  ),
  maxBodyBytes: optional(wholeFrom(1)),
  auditRetentionMs: optional(wholeFrom(0)),
  auditMaxBytes: optional(wholeFrom(0)),
  clock: optional(clockPort),
  ids: optional(idsPort),
  random: portFunction(),
  logger: optional(loggerPort),
  metrics: optional(metricsPort),
})

const defaultBodyBytes = 10 * 1024 * 1024
/** How many states of flows are kept in memory at least: a few kilobytes each. */
const mostStates = 500
const defaultAuditRetentionMs = 90 * 86_400_000
const defaultAuditBytes = 128 * 1024 * 1024

/**
 * Creates the authentication flow service over a storage; its result is the first argument of every operation. Starts no
 * background work.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid, or one that the configuration needs is missing;
 * `InvalidConfig`, with every problem in `info.problems`.
 * @example
 * const auth = createAuth({
 * storage,
 * config: { id: 'app', http: { public_origin: 'https://app.example.com' } },
 * secrets: [{ id: '2026', key: process.env.AUTH_KEY ?? '' }],
 * senders: { sendEmail: async ({ target, code }) => console.log(target, code) },
 * })
 */
export function createAuth(given: AuthOptions): AuthContext {
  const options = decodeInput('options', decodeOptions, given)
  const {
    clock = systemClock,
    ids = systemIds,
    random = randomBytes,
    logger = silentLogger,
    metrics = createMetricsRegistry(),
    hasher = combineHashers(createScryptHasher(), [
      createBcryptVerifier(),
      createArgon2Verifier(),
      createPbkdf2Verifier(),
    ]),
    phoneNumbers = e164PhoneNumbers,
    lists = {},
    identifications = [],
    authenticators = [],
    maxBodyBytes = defaultBodyBytes,
    auditRetentionMs: historyRetentionMs = defaultAuditRetentionMs,
    auditMaxBytes: historyMaxBytes = defaultAuditBytes,
  } = options
  const unreadable = registerUnreadableRecords(metrics, 'auth')
  const storage = readableStorage(options.storage, { logger, unreadable })
  const readConfig = (source: AuthConfigSource): LoadedAuthConfig => {
    const read = readAuthConfig(source, {
      identifications: identifications.map(({ identification }) => identification),
      authentications: authenticators.map(({ authentication }) => authentication),
    })
    checkStrength(read, options)
    checkPorts(read, options)
    checkBotVerifier(read, options)
    if (options.hookSecret === undefined && hasWebhooks(read.hook)) {
      throw missing('hookSecret', 'a secret, since `hook` has handlers, whose webhooks it signs')
    }
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
  const counters = registerAuthMetrics(metrics, clock)
  const routes: Route[] = []
  const auth: AuthContext = Object.freeze({
    storage,
    clock,
    ids,
    random,
    logger,
    metrics,
    counters,
    config,
    readConfig,
    kinds,
    answers: (request: FlowRequest) => answersFor({ ...request, auth }),
    senders: options.senders ?? {},
    messages: createMessages(options.messages),
    bridge: options.authorizationBridge,
    hasher: counters.measured(hasher),
    oauth: options.oauth,
    externalJwt: options.externalJwt,
    ldap: options.ldap,
    passkeys: options.passkeys,
    passwordStrength: options.passwordStrength,
    phoneNumbers,
    loginIdRules: rulesOf,
    secrets: createSecretBox(options.secrets),
    onEvent: options.onEvent,
    hook: options.hook,
    postEvent: createPost(options, clock),
    botVerifier: options.botVerifier,
    geoIp: options.geoIp,
    idTokenVerifier: options.idTokenVerifier,
    promotionVerifier: options.promotionVerifier,
    audit: createAuditLog(
      {
        storage,
        clock,
        logger,
        historyMetrics: registerHistoryMetrics(metrics, 'auth_audit'),
        options: { historyRetentionMs, historyMaxBytes },
      },
      ids,
    ),
    background: { isStarted: false, hasWarned: false },
    queues: {
      buckets: createDecisionQueue({ storage, clock, collection: bucketCollection }),
      lockouts: createDecisionQueue({ storage, clock, collection: lockoutCollection }),
      codes: createDecisionQueue({ storage, clock, collection: codeCollection }),
    },
    recentStates: createRecentMap<StateRecord>(mostStates),
    sending: new Set<Promise<void>>(),
    listeners: createListeners({ storage, clock, logger }),
    maxBodyBytes,
    routes,
    openApi: {
      basePath: () => config.current.http.base_path,
      load: async () => (await import('./api/description.ts')).description,
    },
  })
  for (const warning of config.current.warnings) logger.warn({}, warning)
  routes.push(...authRoutes(auth))
  return auth
}

/** The answers to the questions of one request's rules, one object per folder. Merging them would cost more. */
const answersFor = (run: FlowRun): readonly AnyAnswers[] => [
  flowAnswers(run),
  hookAnswers(run),
  limitAnswers(run),
  botProtectionAnswers(run),
  sessionAnswers(run),
  deviceAnswers(run),
  passwordAnswers(run),
  otpAnswers(run),
  totpAnswers(run),
  recoveryCodeAnswers(run),
  passkeyAnswers(run),
  oauthAnswers(run),
  idTokenAnswers(run),
  externalJwtAnswers(run),
  ldapAnswers(run),
]

function createPost(
  { hookSecret, send, environment = {} }: AuthOptions,
  clock: Clock,
): PostEvent | undefined {
  if (hookSecret === undefined) return undefined
  const readFile = (): Promise<string> => Promise.reject(new Error('webhooks have no files'))
  const client = { readFile, clock, userAgent: 'Gatehouse', environment }
  return createPostEvent(send ?? createHttpClient(client).send, clock, hookSecret)
}

/** Refuses a configuration that needs a port which was not passed in. */
function checkPorts(
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
