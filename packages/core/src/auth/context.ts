import type { RecentMap } from '../async/recent-map.ts'
import type { Access } from '../authorization/access.ts'
import type { Ids } from '../crypto/ids.ts'
import type { DescribedService } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import type { Logger } from '../logger.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { DecisionQueue } from '../storage/decision-queue.ts'
import type { Storage } from '../storage/storage.ts'
import type { TransactionStorage } from '../storage/transaction-storage.ts'
import type { Clock, Instant } from '../time/clock.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { LockoutRecord } from './accounts/lockout-record.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import type { AuthConfigSource } from './config/read-auth-config.ts'
import type { AuditLog } from './events/audit-log.ts'
import type { AuthEvent } from './events/auth-event.ts'
import type { Hook } from './events/hook.ts'
import type { GeoIp } from './events/place-of.ts'
import type { PostEvent } from './events/post-event.ts'
import type { NoticeReceiver } from './events/receivers.ts'
import type { ExternalJwtVerifier } from './external-jwt/external-jwt.ts'
import type { Answer } from './flow/asking.ts'
import type { FlowRequest } from './flow/flow-request.ts'
import type { FlowKinds } from './flow/kinds.ts'
import type { FlowRun } from './flow/run.ts'
import type { AuthorizationBridge } from './flow/session/authorization-bridge.ts'
import type { StateRecord } from './flow-states/flow-record.ts'
import type { IdTokenVerifier } from './kinds/id-token/id-token-verifier.ts'
import type { PromotionVerifier } from './kinds/login-id/promotion-verifier.ts'
import type { Listeners } from './kinds/oob-otp/listeners.ts'
import type { CodeRecord } from './kinds/oob-otp/otp-code.ts'
import type { Senders } from './kinds/oob-otp/senders.ts'
import type { NormalHasher } from './kinds/password/normal-hasher.ts'
import type { LdapClient } from './ldap-client/ldap.ts'
import type { BotVerifier } from './limits/bot-verifier.ts'
import type { LoginIdRules } from './login-ids/login-id.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import type { Brand } from './messages/brand.ts'
import type { RenderMessage } from './messages/message-templates.ts'
import type { AuthMetrics } from './metrics.ts'
import type { OAuthClient } from './oauth-client/oauth-client.ts'
import type { InTransaction } from './outside.ts'
import type { SecretBox } from './secrets/secret-box.ts'
import type { Passkeys } from './webauthn/passkeys.ts'

/** Decision queues for records that many requests update at once. */
export interface AuthQueues {
  readonly buckets: DecisionQueue<{ readonly empty_at: Instant }>
  readonly lockouts: DecisionQueue<LockoutRecord>
  readonly codes: DecisionQueue<CodeRecord>
}

/** The authentication flow service, as its operations take it. `createAuth` makes it; it starts no background work. */
export interface AuthContext {
  readonly storage: Storage
  /** Set by {@link withStorage}. @internal */
  readonly transaction: InTransaction<AuthContext>['transaction']
  /** For {@link withStorage}. @internal */
  readonly within: (storage: TransactionStorage) => AuthContext
  /** The operator whose request is served, for events. Absent for calls of the program. @internal */
  readonly operator?: string | undefined
  /** Asks the option `authorize`; `undefined` without one. @internal */
  readonly access: Access | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly tracer: Tracer | undefined
  /** The metrics of the service. @internal */
  readonly counters: AuthMetrics
  /** Cryptographically strong random bytes. */
  readonly random: (size: number) => Uint8Array
  readonly config: { current: LoadedAuthConfig }
  /** Reads a configuration and checks it against the options of `createAuth`. @internal */
  readonly readConfig: (source: AuthConfigSource) => LoadedAuthConfig
  readonly kinds: FlowKinds
  /** The answers to the questions of one request's rules, by name. @internal */
  readonly answers: (request: FlowRequest) => (name: string) => Answer | undefined
  readonly senders: Senders
  readonly messages: RenderMessage
  /** How messages and the pages of their links look. The sign-in pages set it to their look. */
  readonly brand: { current: Brand }
  /** Where flows of authorization requests come from and lead to. The package `@gatehouse/oidc` sets its own. */
  readonly bridge: { current: AuthorizationBridge | undefined }
  readonly hasher: NormalHasher
  readonly oauth: OAuthClient | undefined
  readonly passkeys: Passkeys | undefined
  readonly passwordStrength: ((password: string) => number | Promise<number>) | undefined
  /** Whether a password is known from a leak; `undefined` if nothing can say so. Never rejects. @internal */
  readonly isLeaked: ((password: string) => Promise<boolean>) | undefined
  readonly phoneNumbers: PhoneNumbers
  /** Whether phone numbers are checked by national numbering plans. @internal */
  readonly knowsPhones: boolean
  readonly loginIdRules: (config: LoadedAuthConfig) => LoginIdRules
  readonly secrets: SecretBox
  /** Called at least once for each event, after it is stored. */
  readonly onEvent: ((event: AuthEvent) => void | Promise<void>) | undefined
  /** Called before an event; may refuse it. */
  readonly hook: Hook | undefined
  /** Sends events to the webhooks of the configuration; needs `hookSecret`. @internal */
  readonly postEvent: PostEvent | undefined
  /** Mails people about changes; `undefined` without `senders.sendEmail`. @internal */
  readonly notices: NoticeReceiver | undefined
  readonly botVerifier: BotVerifier | undefined
  readonly geoIp: GeoIp | undefined
  readonly ldap: LdapClient | undefined
  readonly externalJwt: ExternalJwtVerifier | undefined
  readonly idTokenVerifier: IdTokenVerifier | undefined
  readonly promotionVerifier: PromotionVerifier | undefined
  /** The audit log. @internal */
  readonly audit: AuditLog
  /** Whether {@link startAuth} was called, and whether its absence and a request without TLS were logged. @internal */
  readonly background: { isStarted: boolean; hasWarned: boolean; hasRefusedPlain: boolean }
  /** Decision queues for records that many requests update at once. @internal */
  readonly queues: AuthQueues
  /** The states of flows that this process stored last, by the hash of their token. @internal */
  readonly recentStates: RecentMap<StateRecord>
  /** Messages still being sent after their request was answered. @internal */
  readonly sending: Set<Promise<void>>
  /** The connections that wait for the approval of links. @internal */
  readonly listeners: Listeners
  /** Whether `NODE_ENV` is `production`. @internal */
  readonly isProduction: boolean
  /** The limit on a request's body, in bytes. */
  readonly maxBodyBytes: number
  /** The HTTP interface, for an adapter. */
  readonly routes: readonly Route[]
  /** For `openApiRoutes()`. @internal */
  readonly openApi: DescribedService['openApi']
}

/** One request to a flow of the service. */
export type AuthRun = FlowRun<AuthContext>
