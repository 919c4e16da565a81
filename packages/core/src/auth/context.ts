import type { Ids } from '../crypto/ids.ts'
import type { Route } from '../http/route.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { DecisionQueue } from '../storage/decision-queue.ts'
import type { Storage } from '../storage/storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import type { AuthConfigSource } from './config/read-auth-config.ts'
import type { AnyAnswers } from './flow/asking.ts'
import type { FlowRequest } from './flow/flow-request.ts'
import type { FlowKinds } from './flow/kinds.ts'
import type { Listeners } from './kinds/oob-otp/listeners.ts'
import type { RenderMessage } from './kinds/oob-otp/message-templates.ts'
import type { CodeRecord } from './kinds/oob-otp/otp-code.ts'
import type { PasswordHasher } from './kinds/password/password-hasher.ts'
import type { LockoutRecord } from './limits/lockout.ts'
import type { LoginIdRules } from './login-ids/login-id.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import type { AuthMetrics } from './metrics.ts'
import type { OAuthClient } from './oauth-client/oauth-client.ts'
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
import type { SecretBox } from './secrets/secret-box.ts'
import type { Passkeys } from './webauthn/passkeys.ts'

/** Queues of decisions, for records that many requests want at once. */
export interface AuthQueues {
  readonly buckets: DecisionQueue<{ readonly empty_at: Instant }>
  readonly lockouts: DecisionQueue<LockoutRecord>
  readonly codes: DecisionQueue<CodeRecord>
}

/** What the operations of the authentication flow service need. Made by `createAuth`; nothing runs by itself. */
export interface AuthContext {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  /** What the service counts. @internal */
  readonly counters: AuthMetrics
  /** Cryptographically strong random bytes. */
  readonly random: (size: number) => Uint8Array
  readonly config: { current: LoadedAuthConfig }
  /** Reads a configuration, knowing what was passed in. @internal */
  readonly readConfig: (source: AuthConfigSource) => LoadedAuthConfig
  readonly kinds: FlowKinds
  /** Answers to all that the rules of one request ask. @internal */
  readonly answers: (request: FlowRequest) => readonly AnyAnswers[]
  readonly senders: Senders
  readonly messages: RenderMessage
  readonly bridge: AuthorizationBridge | undefined
  readonly hasher: PasswordHasher
  readonly oauth: OAuthClient | undefined
  readonly passkeys: Passkeys | undefined
  readonly passwordStrength: ((password: string) => number | Promise<number>) | undefined
  readonly phoneNumbers: PhoneNumbers
  readonly loginIdRules: (config: LoadedAuthConfig) => LoginIdRules
  readonly secrets: SecretBox
  /** Called for what happened, at least once, after it is stored. */
  readonly onEvent: ((event: AuthEvent) => void | Promise<void>) | undefined
  /** Called before something happens; may refuse it. */
  readonly hook: Hook | undefined
  readonly botVerifier: BotVerifier | undefined
  readonly geoIp: GeoIp | undefined
  readonly idTokenVerifier: IdTokenVerifier | undefined
  readonly promotionVerifier: PromotionVerifier | undefined
  /** Decisions on records that many requests want at once. @internal */
  readonly queues: AuthQueues
  /** Messages that are being sent while their requests were answered. @internal */
  readonly sending: Set<Promise<void>>
  /** Who waits for the approval of links. @internal */
  readonly listeners: Listeners
  /** A request's body has at most so many bytes. */
  readonly maxBodyBytes: number
  /** The HTTP interface, for an adapter. */
  readonly routes: readonly Route[]
}
