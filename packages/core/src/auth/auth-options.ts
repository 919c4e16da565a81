import { authorizeInput } from '../authorization/access.ts'
import type { Authorize } from '../authorization/authorize.ts'
import type { Ids } from '../crypto/ids.ts'
import type { SendRequest } from '../http-client/send-request.ts'
import { configSource } from '../input/config-source.ts'
import {
  type Decode,
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
  wholeFrom,
} from '../input/decode.ts'
import {
  clockPort,
  idsPort,
  loggerPort,
  metricsPort,
  storagePort,
  tracerPort,
} from '../input/ports.ts'
import { refuse } from '../input/refusal.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { AuthConfigSource } from './config/read-auth-config.ts'
import type { AuthEvent } from './events/auth-event.ts'
import type { Hook } from './events/hook.ts'
import type { GeoIp } from './events/place-of.ts'
import type { ExternalJwtVerifier } from './external-jwt/external-jwt.ts'
import type { Authenticator } from './flow/authenticator.ts'
import type { IdentificationKind } from './flow/identification.ts'
import type { AuthorizationBridge } from './flow/session/authorization-bridge.ts'
import type { IdTokenVerifier } from './kinds/id-token/id-token-verifier.ts'
import { loginIdLists } from './kinds/login-id/lists-input.ts'
import type { LoginIdLists } from './kinds/login-id/login-id-rules.ts'
import type { PromotionVerifier } from './kinds/login-id/promotion-verifier.ts'
import type { Sender, Senders } from './kinds/oob-otp/senders.ts'
import type { LeakedPasswords } from './kinds/password/leaked-passwords.ts'
import type { PasswordHasher } from './kinds/password/password-hasher.ts'
import { hasherPort } from './kinds/password/password-hasher.ts'
import type { LdapClient } from './ldap-client/ldap.ts'
import type { BotVerifier } from './limits/bot-verifier.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import { type Brand, brandInput } from './messages/brand.ts'
import type { MessageTranslations } from './messages/message-texts.ts'
import { messagesInput } from './messages/messages-input.ts'
import type { OAuthClient } from './oauth-client/oauth-client.ts'
import type { SecretKey } from './secrets/secret-box.ts'
import type { Passkeys } from './webauthn/passkeys.ts'

/** Options of `createAuth`. */
export interface AuthOptions {
  /** Where users, flows and all other records are kept. */
  storage: Storage
  /**
   * A document in the shape of `authgear.yaml`: its text, or an object with its keys.
   *
   * @see docs/auth.md#configuration
   */
  config: AuthConfigSource
  /** The keys that seal states and secrets, of 32 bytes or more. The first one seals; the others still open. */
  secrets: readonly SecretKey[]
  /**
   * `sendEmail`, `sendSms` and `sendWhatsapp`: each sends one message, and rejects if it cannot be sent (default: none; steps that
   * need a sender are refused).
   */
  senders?: Senders | undefined
  /**
   * Texts of messages by language, as Go templates (default: built-in ones in English, German, French, Spanish, Japanese and Arabic).
   *
   * @see docs/auth-messages.md
   */
  messages?: MessageTranslations | undefined
  /**
   * The name, the logo and the colors of the app in messages and on the pages of their links (default: the look of the sign-in pages where
   * they are mounted, else plain).
   */
  brand?: Brand | undefined
  /**
   * Connects flows to your own authorization server (default: none).
   *
   * @see docs/auth-events.md#an-authorization-server
   */
  authorizationBridge?: AuthorizationBridge | undefined
  /**
   * Decides who may manage users, for {@link checkAccess} in routes of the app (default: all may). The routes of this service
   * do not ask: they let people change only their own account.
   *
   * @see docs/authorization.md
   */
  authorize?: Authorize | undefined
  /**
   * Called at least once for each event, in a process that runs {@link startAuth} (default: events are not delivered).
   *
   * @see docs/auth-events.md#events
   */
  onEvent?: ((event: AuthEvent) => void | Promise<void>) | undefined
  /**
   * Called before an operation, which it may refuse or change (default: none).
   *
   * @see docs/auth-events.md#hooks
   */
  hook?: Hook | undefined
  /**
   * The secret that signs webhooks (needed where `hook` of the configuration has handlers).
   *
   * @see docs/auth-events.md#webhooks
   */
  hookSecret?: string | undefined
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, for webhooks (default none), and `NODE_ENV` (default: of the process). */
  environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Sends webhooks (default: an HTTP client that uses undici if it is installed). */
  send?: SendRequest | undefined
  /**
   * Checks bot protection: `createTurnstileVerifier()`, `createRecaptchaVerifier()`, or your own (needed where `bot_protection`
   * is enabled).
   *
   * @see docs/auth-methods.md#bot-protection
   */
  botVerifier?: BotVerifier | undefined
  /** Finds the country of an IP address, for events and hooks (default: none is known). */
  geoIp?: GeoIp | undefined
  /**
   * Finds the user, and perhaps the session, of an ID token of your authorization server: checks its signature and audience, and accepts an
   * expired one (default: none; the identification `id_token`, and the `reauth` flows that use it, are not offered).
   *
   * @see docs/auth-sessions.md#step-up-and-reauthentication
   */
  idTokenVerifier?: IdTokenVerifier | undefined
  /**
   * Finds the guest who signed a login hint (default: none; only a session identifies the user to promote).
   *
   * @see docs/auth-sessions.md#guests
   */
  promotionVerifier?: PromotionVerifier | undefined
  /** Hashes passwords (default scrypt, which also verifies the bcrypt, Argon2 and PBKDF2 hashes of imported users). */
  hasher?: PasswordHasher | undefined
  /**
   * Rates how hard a password is to guess, 0 to 4: `createPasswordStrength()` of `@gatehouse/core/password-strength` with the package
   * `zxcvbn` (default: none; a policy with a level above 1 is then refused).
   */
  passwordStrength?: ((password: string) => number | Promise<number>) | undefined
  /**
   * Says whether a new password is known from a leak, and is refused: `createLeakedPasswords()`, or your own (default: passwords are not looked
   * up).
   *
   * @see docs/auth-methods.md#leaked-passwords
   */
  leakedPasswords?: LeakedPasswords | undefined
  /**
   * The client for identity providers: `createOAuthClient()` of `@gatehouse/core/oauth` (needed where providers are configured).
   *
   * @see docs/auth-providers.md#identity-providers
   */
  oauth?: OAuthClient | undefined
  /**
   * Verifies tokens of other issuers: `createExternalJwtVerifier()` of `@gatehouse/core/external-jwt` (needed where `external_jwt` is
   * configured).
   *
   * @see docs/auth-providers.md#tokens-of-other-issuers
   */
  externalJwt?: ExternalJwtVerifier | undefined
  /**
   * Checks passwords in directories: `createLdapClient()` of `@gatehouse/core/ldap` with the package `ldapts` (needed where servers are
   * configured).
   *
   * @see docs/auth-providers.md#ldap
   */
  ldap?: LdapClient | undefined
  /**
   * Creates and verifies passkeys: `createPasskeys()` of `@gatehouse/core/passkeys` with the package `@simplewebauthn/server` (needed
   * where passkeys are configured).
   *
   * @see docs/auth-methods.md#passkeys
   */
  passkeys?: Passkeys | undefined
  /**
   * Parses phone numbers: `createPhoneNumbers()` of `@gatehouse/core/phone` with the package `libphonenumber-js` (default: checks the
   * E.164 format only).
   */
  phoneNumbers?: PhoneNumbers | undefined
  /**
   * Lists of mail domains, reserved names and words to check login IDs against (default: some hundred reserved names).
   *
   * @see docs/auth-methods.md#login-ids
   */
  lists?: LoginIdLists | undefined
  /**
   * More kinds of identification (default none).
   *
   * @see docs/auth-kinds.md#an-identification
   */
  identifications?: readonly IdentificationKind[] | undefined
  /**
   * More kinds of authenticator (default none).
   *
   * @see docs/auth-kinds.md#an-authenticator
   */
  authenticators?: readonly Authenticator[] | undefined
  /** The limit on a request's body, in bytes (default 10 MiB). */
  maxBodyBytes?: number | undefined
  /**
   * How long {@link startAuth} keeps the audit log, in ms; 0 records none (default 90 days).
   *
   * @see docs/auth-operations.md#the-audit-log
   */
  auditRetentionMs?: number | undefined
  /** The most bytes that the packed audit log may take; the oldest is removed first; 0: no limit (default 128 MiB). */
  auditMaxBytes?: number | undefined
  /** The time and the timers (default: those of the machine); {@link createManualClock} for tests. */
  clock?: Clock | undefined
  /** Makes the ids of users and records (default: UUIDs). */
  ids?: Ids | undefined
  /** Returns random bytes, for tests (default: cryptographically strong ones). */
  random?: ((size: number) => Uint8Array) | undefined
  /** Where the service logs: a {@link Logger} or a console; `false` for nowhere (default: {@link createConsoleLogger}, warnings and errors to stderr). */
  logger?: Logger | false | undefined
  /** The registry for metrics (default: a new one). */
  metrics?: MetricsRegistry | undefined
  /**
   * Traces requests to flows, such as `trace.getTracer('app')` of OpenTelemetry (default: none).
   *
   * @see docs/observability.md#traces
   */
  tracer?: Tracer | undefined
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

/** Decodes the options. */
export const decodeOptions: Decode<AuthOptions> = exactly<AuthOptions>({
  storage: storagePort,
  config: configSource,
  secrets: listOf(objectOf<SecretKey>({ id: secretKeyId, key: keyBytes })),
  senders: optional(exactly<Senders>({ sendEmail: sender, sendSms: sender, sendWhatsapp: sender })),
  messages: optional(messagesInput),
  brand: optional(brandInput),
  authorize: authorizeInput,
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
  leakedPasswords: portFunction(),
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
  tracer: optional(tracerPort),
})
