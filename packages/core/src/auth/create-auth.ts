import { createRecentMap } from '../async/recent-map.ts'
import { createAccess } from '../authorization/access.ts'
import { randomBytes } from '../crypto/crypto.ts'
import { systemIds } from '../crypto/ids.ts'
import type { HistoryContext } from '../history/history-context.ts'
import { registerHistoryMetrics } from '../history/history-metrics.ts'
import { describedBy } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import { createHttpClient } from '../http-client/http-client.ts'
import { decodeInput } from '../input/decode.ts'
import { loggerOf } from '../logger.ts'
import { type Counter, createMetricsRegistry } from '../metrics/metrics.ts'
import { isProduction } from '../node-env.ts'
import { createDecisionQueue } from '../storage/decision-queue.ts'
import { readableStorage, registerUnreadableRecords } from '../storage/readable-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { TransactionStorage } from '../storage/transaction-storage.ts'
import type { Clock } from '../time/clock.ts'
import { systemClock } from '../time/clock.ts'
import { lockoutCollection } from './accounts/lockout-record.ts'
import { type AuthOptions, decodeOptions } from './auth-options.ts'
import { checkPorts } from './check-ports.ts'
import type { LoadedAuthConfig } from './config/config.ts'
import { type AuthConfigSource, readAuthConfig } from './config/read-auth-config.ts'
import type { AuthContext, AuthQueues } from './context.ts'
import { inTransaction } from './errors.ts'
import { createAuditLog } from './events/audit-log.ts'
import { createPostEvent, type PostEvent } from './events/post-event.ts'
import type { FlowRequest } from './flow/flow-request.ts'
import type { StateRecord } from './flow-states/flow-record.ts'
import { authRoutes } from './http/routes.ts'
import { createLoginIdRules } from './kinds/login-id/login-id-rules.ts'
import { createListeners } from './kinds/oob-otp/listeners.ts'
import { codeCollection } from './kinds/oob-otp/otp-code.ts'
import type { Senders } from './kinds/oob-otp/senders.ts'
import { createArgon2Verifier } from './kinds/password/argon2-hash.ts'
import { createBcryptVerifier } from './kinds/password/bcrypt-hash.ts'
import { createLeakCheck } from './kinds/password/leaked-passwords.ts'
import { normalizeHasher } from './kinds/password/normal-hasher.ts'
import { combineHashers } from './kinds/password/password-hasher.ts'
import { createPbkdf2Verifier } from './kinds/password/pbkdf2-hash.ts'
import { createScryptHasher } from './kinds/password/scrypt-hasher.ts'
import { createFlowKinds } from './kinds.ts'
import { bucketCollection } from './limits/rate-limit.ts'
import { createMessages } from './messages/message-templates.ts'
import { registerAuthMetrics } from './metrics.ts'
import { createNoticeReceiver, type NoticePorts } from './notices/send-notices.ts'
import { e164PhoneNumbers } from './phone/e164-phone-numbers.ts'
import { answersFor } from './questions.ts'
import { createSecretBox } from './secrets/secret-box.ts'
import { normalPassword } from './secrets/typed-password.ts'
import { logWarnings } from './update-auth-config.ts'

/** How many states of flows are kept in memory at least: a few kilobytes each. */
const maxStates = 500
const defaultAuditRetentionMs = 90 * 86_400_000
const defaultAuditBytes = 128 * 1024 * 1024
const defaultBodyBytes = 10 * 1024 * 1024

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
    passwordStrength: strength,
  } = options
  const logger = loggerOf(options.logger)
  const unreadable = registerUnreadableRecords(metrics, 'auth')
  const storage = readableStorage(options.storage, { logger, unreadable })
  const readConfig = configReader(options)
  const config = { current: readConfig(options.config) }
  const rulesOf = createLoginIdRules(lists, phoneNumbers)
  const kinds = createFlowKinds({
    rulesOf: (view) => rulesOf(view.config),
    phoneNumbers,
    hasIdTokens: options.idTokenVerifier !== undefined,
    identifications,
    authenticators,
  })
  const secrets = createSecretBox(options.secrets)
  const brand = { current: options.brand ?? {} }
  const messages = messagesOf(options, { brand, config })
  const counters = registerAuthMetrics(metrics, clock)
  const historyMetrics = registerHistoryMetrics(metrics, 'auth_audit')
  const routes: Route[] = []
  const auth: AuthContext = Object.freeze({
    storage,
    transaction: undefined,
    within: (inner: TransactionStorage) => withinTransaction(auth, inner, unreadable),
    access: createAccess({ service: 'auth', authorize: options.authorize, metrics, logger }),
    clock,
    ids,
    random,
    logger,
    metrics,
    tracer: options.tracer,
    counters,
    config,
    readConfig,
    kinds,
    answers: (request: FlowRequest) => answersFor({ ...request, auth }),
    senders: options.senders ?? {},
    messages,
    brand,
    bridge: { current: options.authorizationBridge },
    hasher: normalizeHasher(counters.measured(hasher)),
    knowsPhones: options.phoneNumbers !== undefined,
    oauth: options.oauth,
    externalJwt: options.externalJwt,
    ldap: options.ldap,
    passkeys: options.passkeys,
    passwordStrength: strength && ((text: string) => strength(normalPassword(text))),
    isLeaked:
      options.leakedPasswords &&
      createLeakCheck(options.leakedPasswords, { clock, logger, counters }),
    phoneNumbers,
    loginIdRules: rulesOf,
    secrets,
    onEvent: options.onEvent,
    hook: options.hook,
    postEvent: createPost(options, clock),
    notices: noticesOf({ storage, config, messages, secrets, logger, counters }, options.senders),
    botVerifier: options.botVerifier,
    geoIp: options.geoIp,
    idTokenVerifier: options.idTokenVerifier,
    promotionVerifier: options.promotionVerifier,
    audit: createAuditLog(
      { storage, clock, logger, historyMetrics, options: auditLimits(options) },
      ids,
    ),
    background: { isStarted: false, hasWarned: false, hasRefusedPlain: false },
    queues: createQueues(storage, clock),
    recentStates: createRecentMap<StateRecord>(maxStates),
    sending: new Set<Promise<void>>(),
    listeners: createListeners({ storage, clock, logger }),
    isProduction: isProduction(options.environment),
    maxBodyBytes,
    routes,
    openApi: {
      basePath: () => config.current.http.base_path,
      load: describedBy(async () => (await import('./api/operations.ts')).authApi),
    },
  })
  logWarnings(auth, config.current)
  routes.push(...authRoutes(auth))
  return auth
}

const messagesOf = (
  { messages }: AuthOptions,
  { brand, config }: Pick<AuthContext, 'brand' | 'config'>,
): AuthContext['messages'] =>
  createMessages(messages, () => ({
    brand: brand.current,
    localization: config.current.localization,
  }))

const noticesOf = (ports: NoticePorts, { sendEmail }: Senders = {}): AuthContext['notices'] =>
  sendEmail && createNoticeReceiver(ports, sendEmail)

/** Reads a configuration that may name the app's own ways to sign in, and uses only ports that the options have. */
function configReader(options: AuthOptions): (source: AuthConfigSource) => LoadedAuthConfig {
  const { identifications = [], authenticators = [] } = options
  return (source) => {
    const read = readAuthConfig(source, {
      identifications: identifications.map(({ identification }) => identification),
      authentications: authenticators.map(({ authentication }) => authentication),
    })
    checkPorts(read, options)
    return read
  }
}

const auditLimits = ({
  auditRetentionMs: historyRetentionMs = defaultAuditRetentionMs,
  auditMaxBytes: historyMaxBytes = defaultAuditBytes,
}: AuthOptions): HistoryContext['options'] => ({ historyRetentionMs, historyMaxBytes })

const createQueues = (storage: Storage, clock: Clock): AuthQueues => ({
  buckets: createDecisionQueue({ storage, clock, collection: bucketCollection }),
  lockouts: createDecisionQueue({ storage, clock, collection: lockoutCollection }),
  codes: createDecisionQueue({ storage, clock, collection: codeCollection }),
})

/** The same service within a transaction. What is kept in memory must not show what may be rolled back. */
function withinTransaction(
  auth: AuthContext,
  given: TransactionStorage,
  unreadable: Counter,
): AuthContext {
  const { logger, clock, audit } = auth
  const storage = readableStorage(given, { logger, unreadable })
  const inner: AuthContext = Object.freeze({
    ...auth,
    storage,
    transaction: { outside: given.isExclusive ? undefined : auth },
    answers: (request: FlowRequest) => answersFor({ ...request, auth: inner }),
    audit: { ...audit, history: { ...audit.history, storage } },
    queues: given.isExclusive ? createQueues(storage, clock) : auth.queues,
    recentStates: createRecentMap<StateRecord>(maxStates),
    get routes(): never {
      throw inTransaction('its routes')
    },
  })
  return inner
}

function createPost(
  { hookSecret, send, environment = {} }: AuthOptions,
  clock: Clock,
): PostEvent | undefined {
  if (hookSecret === undefined) return undefined
  const readFile = (): Promise<string> => Promise.reject(new Error('webhooks have no files'))
  const client = { readFile, clock, userAgent: 'Gatehouse', environment }
  return createPostEvent(send ?? createHttpClient(client).send, clock, hookSecret)
}
