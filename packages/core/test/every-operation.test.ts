import type { Storage } from '@gatehouse/core'
import * as root from '@gatehouse/core'
import * as adapterEntry from '@gatehouse/core/adapter'
import * as alertsEntry from '@gatehouse/core/alerts'
import * as authEntry from '@gatehouse/core/auth'
import * as config from '@gatehouse/core/config'
import * as oauth from '@gatehouse/core/oauth'
import * as passkeys from '@gatehouse/core/passkeys'
import * as passwordStrength from '@gatehouse/core/password-strength'
import * as phone from '@gatehouse/core/phone'
import * as storeEntry from '@gatehouse/core/store'
import * as template from '@gatehouse/core/template'
import * as testing from '@gatehouse/core/testing'
import type { CommandRunner } from '@gatehouse/core/webhook'
import * as webhookEntry from '@gatehouse/core/webhook'
import * as storeMemory from '@gatehouse/store-memory'
import * as storePostgres from '@gatehouse/store-postgres'
import * as storeSqlite from '@gatehouse/store-sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWide, runsOf, sampleOf } from '../../../test-support/lane.ts'

const core = {
  ...root,
  ...alertsEntry,
  ...authEntry,
  ...webhookEntry,
  ...adapterEntry,
  ...storeEntry,
}

/**
 * Calls every operation and factory with invalid values. Each row makes a call from valid arguments, so that the test can replace
 * them one place at a time.
 */
interface Row {
  readonly args: readonly unknown[]
  /** Whether it is given a service or its storage, and could spoil what the lists return. */
  readonly reachesLists: boolean
  call(...args: readonly never[]): unknown
}

const alertsConfig = 'route: { receiver: team }\nreceivers: [{ name: team }]'
const authConfig = 'id: app\nhttp: { public_origin: https://app.example }\n'
const webhooksConfig = `
admin: { token: harbor-lantern-42 }
defaults: { mode: async }
webhooks:
  - { id: a, workdir: /, token: tidal-lantern-42, execute_command: "true", enabled: false }
  - { id: b, workdir: /, token: tidal-lantern-42, execute_command: "true" }
  - { id: c, workdir: /, on_alert: true, execute_command: "true" }
`
/** Schemas of a program's own settings are code, and never replaced by invalid values. */
const decodeServiceSettings = (...[node, options]: Parameters<typeof core.decodeWebhooksConfig>) =>
  core.decodeWebhooksConfig(node, options, { fields: {}, limits: {}, log: {} })
/** Starts nothing, so that runs end at once. */
const runner: CommandRunner = {
  start: async () => ({ problem: 'nothing runs in this test' }),
  close: async () => undefined,
}
const startedAt = Date.UTC(2026, 0, 2, 12)

function createWorld() {
  const clock = testing.createManualClock(startedAt)
  const storage = storeMemory.createMemoryStorage({ clock })
  const secrets = [{ id: 'a', key: new Uint8Array(32) }]
  return {
    clock,
    storage,
    alerts: core.createAlerts({ storage, clock, config: alertsConfig }),
    auth: core.createAuth({
      storage,
      clock,
      config: authConfig,
      secrets,
      hasher: core.createScryptHasher({ N: 2, maxWaiting: 1_000 }),
    }),
    webhooks: core.createWebhooks({ storage, clock, config: webhooksConfig, runner }),
  }
}

type World = ReturnType<typeof createWorld>

const session = {
  id: 's',
  user_id: 'u',
  authenticated_at: startedAt,
  amr: ['pwd'],
  created_at: startedAt,
}
const silence = {
  matchers: [{ name: 'alertname', value: 'x', isRegex: false, isEqual: true }],
  startsAt: startedAt,
  endsAt: startedAt + 3_600_000,
  createdBy: 'me',
  comment: 'c',
  annotations: { a: 'b' },
}
const recurring = {
  matchers: silence.matchers,
  timeIntervals: [
    {
      times: [{ startTime: '08:00', endTime: '09:30' }],
      weekdays: ['monday:friday'],
      location: 'Europe/Berlin',
    },
  ],
  createdBy: 'me',
  comment: 'c',
}
const page = { sort: '-startsAt', limit: 5, fields: ['startsAt'] }
const alertsQuery = { filter: ['a="b"'], receiver: 'team', receiverMatchers: ['name="team"'] }
const acknowledged = { labels: { a: 'b' }, by: 'me' }
const history = { from: startedAt, to: startedAt + 1, limit: 5 }
const sample = { alerts: [{ labels: { a: 'b' }, startsAt: startedAt }], groupLabels: { a: 'b' } }
const context = { ip: '192.0.2.1', userAgent: 'x', cookie: 'a=b', query: 'client_id=x' }
const eventWebhook = { url: 'https://x.example', secret: 's', timeoutMs: 5 }

const ports = { environment: { A: 'b' }, workdir: '/' }
const setOptions = { functions: new Map(), missingKey: 'zero', limits: { maxSteps: 5 } }
const notes = { name: 'notes', fields: { at: 'number' }, feed: true }
/** No server listens there. */
const nowhere = 'postgres://127.0.0.1:1/x'

/** Prevents a junk text from creating a file in the working directory. */
const createSqliteNowhere = (options: storeSqlite.SqliteStorageOptions): Storage => {
  const filename: unknown = Object.getOwnPropertyDescriptor(Object(options), 'filename')?.value
  const isFile = typeof filename === 'string' && filename !== '' && filename !== ':memory:'
  return storeSqlite.createSqliteStorage(
    isFile ? { ...options, filename: `/nowhere/${filename}` } : options,
  )
}

/** Creates a storage and closes it. */
const opened =
  (create: (options: never) => Storage) =>
  (...args: readonly never[]): Promise<void> =>
    create(...(args as unknown as [never])).close()

/** Runs a call that must fail because there is no database. */
const unavailable =
  (operation: (...args: never[]) => Promise<unknown>) =>
  async (...args: readonly never[]): Promise<void> => {
    await operation(...args).catch((error: unknown) => {
      if (!core.isGatehouseError(error)) throw error
    })
  }

/** Opens a stream of changes, and closes it at once. */
const firstChange =
  <Args extends readonly unknown[]>(watch: (...args: Args) => AsyncGenerator<unknown>) =>
  async (...args: Args): Promise<void> => {
    const changes = watch(...args)
    await changes.next()
    await changes.return(undefined)
  }

/** The operations and factories, by name. */
function rowsOf({ alerts, auth, webhooks, storage, clock }: World): Readonly<Record<string, Row>> {
  const of =
    (operation: (service: never, ...args: never[]) => unknown, service: unknown) =>
    (...args: readonly unknown[]): Row => ({
      args,
      reachesLists: true,
      call: (...given) => operation(service as never, ...given),
    })
  const plain =
    (operation: (...args: never[]) => unknown) =>
    (...args: readonly unknown[]): Row => ({
      args,
      reachesLists: args.some((arg) => Object(arg).storage === storage),
      call: (...given) => operation(...given),
    })
  const onAlerts = (operation: (service: never, ...args: never[]) => unknown) =>
    of(operation, alerts)
  const onAuth = (operation: (service: never, ...args: never[]) => unknown) => of(operation, auth)
  const onWebhooks = (operation: (service: never, ...args: never[]) => unknown) =>
    of(operation, webhooks)
  return {
    createAlerts: plain(core.createAlerts)({ storage, clock, config: alertsConfig }),
    createAuth: plain(core.createAuth)({
      storage,
      clock,
      config: authConfig,
      secrets: [{ id: 'a', key: new Uint8Array(32) }],
      lists: { emailDomainAllowlist: ['a.example'], excludedKeywords: ['a'] },
    }),
    createWebhooks: plain(core.createWebhooks)({ storage, clock, config: webhooksConfig }),
    createOAuthClient: plain(oauth.createOAuthClient)({
      credentials: { a: { clientSecret: 's' } },
    }),
    createPasskeys: plain(passkeys.createPasskeys)({ attestation: 'none' }),
    createManualClock: plain(testing.createManualClock)(startedAt),
    totpCode: plain((secret: never) => testing.totpCode(secret, clock))('GEZDGNBVGY3TQOJQ'),
    signIn: onAuth(testing.signIn)({ email_verified: true }, { amr: ['pwd'], ip: '192.0.2.1' }),
    withStorage: onAuth(core.withStorage)({ ...storage, isExclusive: true }),
    createFunctionNotifier: plain(core.createFunctionNotifier)(async () => undefined, {
      name: 'x',
    }),
    createEventWebhook: plain(core.createEventWebhook)(eventWebhook),
    createHookWebhook: plain(core.createHookWebhook)(eventWebhook),
    createTokenVerifier: plain(core.createTokenVerifier)({
      issuer: 'https://auth.example',
      audience: ['https://api.example'],
      jwksUri: 'https://auth.example/jwks',
      keys: () => [],
      isRevoked: () => false,
      storage,
      clock,
      timeoutMs: 5,
    }),
    admitToken: plain(core.admitToken)(
      { verifyToken: async () => ({ iss: 'i', sub: 's', aud: 'a', exp: 1 }) },
      { method: 'GET', url: '/a', headers: new Headers() },
      { scope: ['a'], audience: 'https://api.example', origin: 'https://api.example' },
    ),
    protectedResourceRoutes: plain(core.protectedResourceRoutes)({
      resource: 'https://api.example/a',
      authorizationServers: ['https://auth.example'],
      scopes: ['a'],
      name: 'n',
      documentation: 'https://api.example/docs',
    }),
    createLeakedPasswords: plain(core.createLeakedPasswords)({}),
    sampleMessages: plain(core.sampleMessages)({}),
    checkMessageTemplate: plain(core.checkMessageTemplate)('{{.Code}}', 'text'),
    isRangeUrl: plain(core.isRangeUrl)('https://ranges.example/range/'),
    createTurnstileVerifier: plain(core.createTurnstileVerifier)({ secretKey: 's' }),
    createRecaptchaVerifier: plain(core.createRecaptchaVerifier)({ secretKey: 's' }),
    createScryptHasher: plain(core.createScryptHasher)({ N: 2, r: 1, p: 1 }),
    createBcryptVerifier: plain(core.createBcryptVerifier)({ maxWaiting: 5 }),
    createArgon2Verifier: plain(core.createArgon2Verifier)({ maxWaiting: 5 }),
    createPbkdf2Verifier: plain(core.createPbkdf2Verifier)({ maxWaiting: 5 }),

    importAlertmanagerState: onAlerts(core.importAlertmanagerState)({
      silences: new Uint8Array(),
      notificationLog: new Uint8Array(),
      alerts: [{ labels: { a: 'b' } }],
    }),
    postAlerts: onAlerts(core.postAlerts)([
      {
        labels: { alertname: 'x' },
        annotations: { a: 'b' },
        startsAt: startedAt,
        endsAt: startedAt,
      },
    ]),
    acknowledge: onAlerts(core.acknowledge)({
      ...acknowledged,
      comment: 'c',
      until: startedAt + 1,
    }),
    unacknowledge: onAlerts(core.unacknowledge)(acknowledged),
    listAcknowledgements: onAlerts(core.listAcknowledgements)({ filter: ['a="b"'], limit: 5 }),
    listExpectedAlerts: onAlerts(core.listExpectedAlerts)(),
    listRoutes: onAlerts(core.listRoutes)(),
    previewConfig: onAlerts(core.previewConfig)({ config: 'route: {}', historyMs: 5 }),
    createSilence: onAlerts(core.createSilence)(silence),
    expireSilence: onAlerts(core.expireSilence)('x'),
    getSilence: onAlerts(core.getSilence)('x'),
    extendSilence: onAlerts(core.extendSilence)({ id: 'x', byMs: 5 }),
    previewSilence: onAlerts(core.previewSilence)({ matchers: silence.matchers, historyMs: 5 }),
    createRecurringSilence: onAlerts(core.createRecurringSilence)(recurring),
    deleteRecurringSilence: onAlerts(core.deleteRecurringSilence)('x'),
    listRecurringSilences: onAlerts(core.listRecurringSilences)(),
    listOccurrences: onAlerts(core.listOccurrences)(
      [...recurring.timeIntervals, { name: 'night' }],
      2,
    ),
    makeSilences: onAlerts(alertsEntry.makeSilences)(),
    followSilences: onAlerts(alertsEntry.followSilences)(),
    listAffectedAlerts: onAlerts(alertsEntry.listAffectedAlerts)('x'),
    listAlerts: onAlerts(core.listAlerts)(alertsQuery),
    listAlertsJson: onAlerts(core.listAlertsJson)(alertsQuery),
    listAlertsPage: onAlerts(core.listAlertsPage)({ ...alertsQuery, ...page }),
    summarizeAlerts: onAlerts(core.summarizeAlerts)(alertsQuery),
    listAlertGroupsPage: onAlerts(core.listAlertGroupsPage)({ ...alertsQuery, limit: 5 }),
    listSilencesPage: onAlerts(core.listSilencesPage)({ filter: ['a="b"'], ...page }),
    watchChanges: onAlerts(firstChange(core.watchChanges))({
      types: ['alerts'],
      filter: ['a="b"'],
    }),
    whoAmI: onAlerts(core.whoAmI)({ subject: { id: 'me', kind: 'user' } }),
    checkAccess: onAlerts(core.checkAccess)({ subject: { id: 'me' } }, 'alerts:read'),
    listAlertGroups: onAlerts(core.listAlertGroups)({ ...alertsQuery, muted: true }),
    listAlertGroupsJson: onAlerts(core.listAlertGroupsJson)(alertsQuery),
    listSilences: onAlerts(core.listSilences)({ filter: ['a="b"'], active: true }),
    listSilencesJson: onAlerts(core.listSilencesJson)({ filter: ['a="b"'], expired: true }),
    listReceivers: onAlerts(core.listReceivers)({ receiverMatchers: ['name="team"'] }),
    listAlertHistory: onAlerts(core.listAlertHistory)({ ...history, event: ['firing'] }),
    listOtherServers: onAlerts(core.listOtherServers)(),
    listOtherAlertGroups: onAlerts(core.listOtherAlertGroups)('paris', {
      filter: ['a="b"'],
      active: true,
      silenced: true,
      inhibited: true,
    }),
    getFiringHistory: onAlerts(core.getFiringHistory)(),
    listSilenceHistory: onAlerts(core.listSilenceHistory)({ ...history, silenceId: 'x' }),
    listNotifications: onAlerts(core.listNotifications)({
      ...history,
      outcome: ['sent'],
      filter: ['a="b"'],
    }),
    countNotifications: onAlerts(core.countNotifications)({
      from: startedAt,
      to: startedAt + 1,
      parts: 5,
      receiver: 'team',
      filter: ['a="b"'],
    }),
    getNotification: onAlerts(core.getNotification)('000000000000000-x', { message: true }),
    explain: onAlerts(core.explain)({ alertname: 'x' }),
    renderNotification: onAlerts(core.renderNotification)('team', sample),
    testReceiver: onAlerts(core.testReceiver)('team', { ...sample, timeoutMs: 5 }),
    updateAlertsConfig: onAlerts(core.updateAlertsConfig)({ text: alertsConfig, filename: 'x' }),
    renderTemplate: onAlerts(core.renderTemplate)('x', { type: 'text', sample }),
    loadAlertsConfig: plain(core.loadAlertsConfig)(alertsConfig, { matcherMode: 'utf8' }),
    createMatcher: plain(core.createMatcher)('a', '=', 'b'),
    parseMatcher: plain(core.parseMatcher)('a="b"', 'utf8'),
    parseMatchers: plain(core.parseMatchers)('{a="b"}', 'utf8'),
    checkTemplateFiles: plain(core.checkTemplateFiles)([{ name: 'a', text: 'b' }]),
    decodeTemplateData: plain(core.decodeTemplateData)('{}'),

    createUser: onAuth(core.createUser)({
      email: 'a@x.example',
      password: 'tidal-lantern-42',
      identities: [{ type: 'username', value: 'a' }],
      mfa: { totp: { secret: 'K5QW4ZLOM5SWK3TF' }, recovery_codes: ['0123456789'] },
      account_valid_until: startedAt,
      custom_attributes: { x: [1, { y: 'z' }] },
    }),
    updateUser: onAuth(core.updateUser)('u', {
      account_valid_until: startedAt,
      standard_attributes: { name: 'x' },
    }),
    importUsers: onAuth(core.importUsers)([
      { email: 'b@x.example', account_valid_from: startedAt },
    ]),
    findUsers: onAuth(core.findUsers)({ attribute: { name: 'name', value: 'x' } }),
    listUsers: onAuth(core.listUsers)({ prefix: { email: 'a' }, limit: 5 }),
    listAuthEvents: onAuth(core.listAuthEvents)({
      user_id: 'u',
      type: ['user.created'],
      ...history,
    }),
    searchUsers: onAuth(core.searchUsers)('maya'),
    getUserAccount: onAuth(core.getUserAccount)('u'),
    impersonateUser: onAuth(core.impersonateUser)('u', { operator: 'o', reason: 'r' }),
    listUserApps: onAuth(core.listUserApps)('u', context),
    revokeUserApp: onAuth(core.revokeUserApp)('u', 'a'),
    revokeUserSession: onAuth(core.revokeUserSession)('u', 's'),
    revokeUserSessions: onAuth(core.revokeUserSessions)('u'),
    createInvitation: onAuth(core.createInvitation)({
      email: 'd@x.example',
      custom_attributes: { x_role: 'a' },
      expires_at: startedAt,
      send: false,
    }),
    listInvitations: onAuth(core.listInvitations)({ limit: 5 }),
    resendInvitation: onAuth(core.resendInvitation)('i'),
    revokeInvitation: onAuth(core.revokeInvitation)('i'),
    disableUser: onAuth(core.disableUser)('u', { reason: 'x' }),
    enableUser: onAuth(core.enableUser)('u'),
    deleteUser: onAuth(core.deleteUser)('u'),
    anonymizeUser: onAuth(core.anonymizeUser)('u'),
    getUser: onAuth(core.getUser)('u'),
    setPassword: onAuth(core.setPassword)('u', 'p', { expireAfter: startedAt }),
    addIdentity: onAuth(core.addIdentity)('u', { type: 'email', value: 'c@x.example' }),
    addAuthenticator: onAuth(core.addAuthenticator)('u', {
      type: 'password',
      kind: 'primary',
      password: 'p',
    }),
    addRecoveryCodes: onAuth(core.addRecoveryCodes)('u', { codes: ['ABCDEFGHJK'] }),
    listIdentities: onAuth(core.listIdentities)('u'),
    listAuthenticators: onAuth(core.listAuthenticators)('u'),
    listSessions: onAuth(core.listSessions)('u'),
    getSession: onAuth(core.getSession)('s'),
    maySignIn: onAuth(core.maySignIn)('u'),
    sessionGuard: onAuth(core.sessionGuard)('s'),
    createSession: onAuth(core.createSession)('u', { amr: ['pwd'], ip: '192.0.2.1' }),
    createAnonymousUser: onAuth(core.createAnonymousUser)(context),
    revokeSession: onAuth(core.revokeSession)('s'),
    revokeAllSessions: onAuth(core.revokeAllSessions)('u', { except: 's' }),
    resolveSession: onAuth(core.resolveSession)({ headers: new Headers() }, { ip: 'x' }),
    resolveSessionToken: onAuth(core.resolveSessionToken)('s.t', { ip: 'x' }),
    admitRequest: onAuth(core.admitRequest)(
      { method: 'GET', url: '/a', headers: new Headers() },
      { maxAgeMs: 5, roles: ['admin'] },
    ),
    returnAddress: onAuth(core.returnAddress)('/a'),
    requireFresh: onAuth(core.requireFresh)(session, { maxAgeMs: 5, amr: ['pwd'] }),
    logout: onAuth(core.logout)({ headers: new Headers() }),
    getLockout: onAuth(core.getLockout)('u'),
    resetLockout: onAuth(core.resetLockout)('u'),
    approveLink: onAuth(core.approveLink)('x'),
    createFlow: onAuth(core.createFlow)(
      { type: 'login', name: 'default', batch_input: [] },
      context,
    ),
    advanceFlow: onAuth(core.advanceFlow)({ state_token: 'x', input: { a: 'b' } }, context),
    getFlowState: onAuth(core.getFlowState)({ state_token: 'x' }, context),
    createApiKey: onAuth(core.createApiKey)({
      service: 's',
      name: 'x',
      scopes: ['a'],
      expires_at: startedAt,
    }),
    listApiKeys: onAuth(core.listApiKeys)({ service: 's' }),
    listServiceApiKeys: onAuth(core.listServiceApiKeys)({ limit: 1 }),
    revokeApiKey: onAuth(core.revokeApiKey)('x'),
    listOwnApiKeys: onAuth(core.listOwnApiKeys)(session),
    createOwnApiKey: onAuth(core.createOwnApiKey)(
      session,
      { name: 'x', scopes: ['a'], expires_at: startedAt },
      { freshForMs: 5 },
    ),
    revokeOwnApiKey: onAuth(core.revokeOwnApiKey)(session, 'x', context),
    issueTokens: onAuth(core.issueTokens)(session),
    refreshTokens: onAuth(core.refreshTokens)('ghr_x', context),
    revokeTokens: onAuth(core.revokeTokens)('ghr_x'),
    rotateSigningKeys: onAuth(core.rotateSigningKeys)({ revoke: true }),
    listSigningKeys: onAuth(core.listSigningKeys)(),
    getJwks: onAuth(core.getJwks)(),
    beginAccountFlow: onAuth(core.beginAccountFlow)(session, { add_identity: 'email' }, context),
    getAccount: onAuth(core.getAccount)(session, { customAttributes: { '/x': 'readonly' } }),
    listActivity: onAuth(core.listActivity)(session, { limit: 5 }),
    exportAccount: onAuth(core.exportAccount)(session, { customAttributes: { '/x': 'readonly' } }),
    scheduleDeletion: onAuth(core.scheduleDeletion)(session, { freshForMs: 5 }),
    listOwnSessions: onAuth(core.listOwnSessions)(session),
    revokeOwnSession: onAuth(core.revokeOwnSession)(session, 's', context),
    revokeOtherSessions: onAuth(core.revokeOtherSessions)(session, context),
    listOwnApps: onAuth(core.listOwnApps)(session, context),
    revokeOwnApp: onAuth(core.revokeOwnApp)(session, 'a', context),
    removeAuthenticator: onAuth(core.removeAuthenticator)('u', 'x', { force: true }),
    removeIdentity: onAuth(core.removeIdentity)(session, 'x', { freshForMs: 5 }),
    revokeDeviceTokens: onAuth(core.revokeDeviceTokens)('u', context),
    updateProfile: onAuth(core.updateProfile)(session, [{ pointer: '/name', value: 'x' }], context),
    updateAuthConfig: onAuth(core.updateAuthConfig)({ text: authConfig, filename: 'x' }),
    explainFlow: of(core.explainFlow, auth.config.current)('login', 'default'),
    readAuthConfig: plain(core.readAuthConfig)({ text: authConfig }, { identifications: ['x'] }),
    combineHashers: plain(core.combineHashers)(auth.hasher, []),
    accountRoutes: onAuth(core.accountRoutes)({ basePath: '/account', freshForMs: 5 }),
    verifyEventSignature: plain(core.verifyEventSignature)(
      { body: 'x', signature: 't=1,v1=2' },
      { secret: 's', toleranceSeconds: 5 },
    ),

    runWebhook: onWebhooks(core.runWebhook)(
      { id: 'a', token: 'x', data: {}, headers: {} },
      { wait: 0 },
    ),
    triggerWebhook: onWebhooks(core.triggerWebhook)('b', {}, { wait: false }),
    runForAlert: onWebhooks(core.runForAlert)({
      webhook: 'c',
      data: {},
      receiver: 'team',
      group_hash: 'x',
      key: 'y',
    }),
    explainDelivery: onWebhooks(core.explainDelivery)({
      id: 'b',
      body: '{}',
      method: 'POST',
      query: '',
      headers: { a: 'b' },
      address: '192.0.2.1',
      key: 'x',
    }),
    getRun: onWebhooks(core.getRun)('run_0', { output: false }),
    cancelRun: onWebhooks(core.cancelRun)('run_0'),
    watchRuns: onWebhooks(firstChange(core.watchRuns))({ id: 'a', since: 'b' }),
    listRuns: onWebhooks(core.listRuns)({ status: 'failed', limit: 5, output: false }),
    listWebhooks: onWebhooks(core.listWebhooks)(),
    listRefusals: onWebhooks(core.listRefusals)({ id: 'b' }),
    updateWebhooksConfig: onWebhooks(core.updateWebhooksConfig)({ text: webhooksConfig }),
    parseWebhooksDocument: plain(core.parseWebhooksDocument)({
      text: webhooksConfig,
      format: 'yaml',
    }),
    defineSender: plain(core.defineSender)({ name: 'acme' }),
    signDelivery: plain(core.signDelivery)(core.defineSender({ name: 'acme' }), {
      body: new Uint8Array(),
      key: 'k',
      now: 0,
    }),
    hashMessage: plain(core.hashMessage)({ message: 'x' }),
    readWebhooksConfig: plain(core.readWebhooksConfig)(webhooksConfig, ports),
    decodeWebhooksConfig: plain(decodeServiceSettings)(
      core.parseWebhooksDocument({ text: webhooksConfig }),
      { ...ports, directory: '/', filename: 'x' },
      { fields: {}, limits: {}, log: {} },
    ),
    decodeAuthConfig: plain(core.decodeAuthConfig)(
      core.parseWebhooksDocument({ text: authConfig }),
      { identifications: ['x'], filename: 'x' },
    ),
    checkCommands: plain(core.checkCommands)(webhooks.config.current, ports),
    createLaunchRunner: plain(core.createLaunchRunner)({
      spawn: core.createSpawnRunner(),
      shell: '/bin/sh',
      folder: '/tmp',
      size: 1,
      maxRuns: 1,
      idleMs: 1,
    }),
    createOutbox: plain(testing.createOutbox)({ name: 'x' }),

    createMemoryStorage: plain(storeMemory.createMemoryStorage)({ clock }),
    createSqliteStorage: plain(opened(createSqliteNowhere))({
      filename: ':memory:',
      mode: 0o600,
      reserveBytes: 0,
      durability: 'process',
      busyTimeoutMs: 5,
    }),
    readSqliteSnapshot: plain(unavailable(storeSqlite.readSqliteSnapshot))(
      { filename: '/nowhere/x' },
      async () => undefined,
    ),
    createPostgresStorage: plain(opened(storePostgres.createPostgresStorage))({
      url: nowhere,
      schema: 'a',
      prefix: 'b',
      migrate: 'auto',
      maxConnections: 1,
      prepare: true,
      maxPending: 1,
      timeoutMs: 5,
    }),
    migratePostgres: plain(unavailable(storePostgres.migratePostgres))({
      url: nowhere,
      schema: 'a',
      prefix: 'b',
      collections: [notes],
    }),
    readPostgresSnapshot: plain(unavailable(storePostgres.readPostgresSnapshot))(
      { url: nowhere, schema: 'a', prefix: 'b' },
      async () => undefined,
    ),
    postgresViewsSql: plain(storePostgres.postgresViewsSql)({
      schema: 'a',
      prefix: 'b',
      views: [
        {
          name: 'seats',
          collection: notes,
          columns: [
            { name: 'row', path: ['row'], type: 'text' },
            {
              name: 'by',
              path: ['by'],
              type: 'text',
              otherwise: { collection: notes, by: 'at', path: ['by'] },
            },
          ],
        },
      ],
    }),
    sqliteViewsSql: plain(storeSqlite.sqliteViewsSql)({
      views: [
        {
          name: 'seats',
          collection: notes,
          columns: [{ name: 'row', path: ['row'], type: 'text' }],
        },
      ],
    }),
    postgresSchemaSql: plain(storePostgres.postgresSchemaSql)({
      schema: 'a',
      prefix: 'b',
      collections: [notes],
    }),

    parseConfigDocument: plain(config.parseConfigDocument)('a: b', 'x'),
    parseDuration: plain(config.parseDuration)('5m'),
    parseGoDuration: plain(config.parseGoDuration)('5m'),
    formatDuration: plain(config.formatDuration)(5),
    formatGoDuration: plain(config.formatGoDuration)(5),
    parseTemplates: plain(template.parseTemplates)([{ name: 'a', text: 'b' }], setOptions),
    parseHtmlTemplates: plain(template.parseHtmlTemplates)([{ name: 'a', text: 'b' }], setOptions),
  }
}

const entries = [
  core,
  config,
  oauth,
  passkeys,
  passwordStrength,
  phone,
  template,
  testing,
  storeMemory,
  storePostgres,
  storeSqlite,
]

/** Exports that are not called here, with the reason why. */
const others: Readonly<Record<string, string>> = {
  'take only the service as argument':
    'closeAlerts closeAuth collectGarbage createWebhookRuns ownApiRoutes refuseEarly getServerStatus getStatus prepareNotifications reloadAlertsConfig reloadWebhooksConfig endDueUsers processWarnings startEvents startHeartbeat startHistory startMaintenance startRecords userRoutes',
  'start or end work that outlives the test':
    'closeWebhooks startAlerts startAuth startDispatcher startEventRecorder startUserMaintenance startWebhooks stopAll',
  'work on values of this package':
    'alertRunProblem alertsConfigWarnings compareBytes compareRoutes fingerprint isLanguageTag isOtherServerName isOtherServerUrl formatConfigProblems formatMatcher formatMatchers formatSetCookie formatWebhooksConfigProblem isJsonObject keyOfIdentity labelSet labelSetFromObject labelSetToObject maskedSecrets matches matchesAll parseUrl renderText',
  'make or recognize errors and secrets':
    'GatehouseError Secret authError invalidCredentials isConflict isDescribed isGatehouseError storageClosed storageConflict storageUnavailable validationFailed withoutFeed',
  'are for authors of stores, adapters and runners, and refuse misuse with a TypeError or RangeError':
    'acceptsEncoding checkCollection checkQuery checkRecords checkWrites drainBody lingering loggerOf createClientReader fetchHandler fetchRoute openApiRoutes splitUrl createStorageHealth guardHosts createChangeTail createDecisionQueue createExpiryQueue createMetricsRegistry declareMetrics registerEventLoopDelay createRouteTable createSpawnRunner createView defineCollection fieldKey retryOnConflict runStorageScenario textAnswer toResponse emptyAnswer createPageFiles fileAnswer',
  'are for the authorization server of @gatehouse/oidc':
    'commitWithEvents createRequestFrame hostEvent pageViewOf shownPlace rateLimited readBody takeTokens defineKeyRings listKeyRing privateJwks rotateKeyRing',
  'are for authors of ways to sign in': 'ask attempt attemptBuckets isUsed needAccount',
  'are for the routes and adapters of an app':
    'clientCertificateOf clientNetwork errorText identifyRequests isCoveredBy looksLikeApiKey mayPromptForPassword parseAddressRange passwordForms portWarnings plainAddress subjectAltNames',
  'are for authors of keys of configurations and of functions of templates':
    'anyParameter block childPlace createDecoding decodeWith durationValue flag float goTime int64 intParameter integer invalidConfig isNull libraryFunctions listOf mapOf oneOf optional parsed readTlsOptions reportCheck reportStructure reportType stringParameter strings stringsParameter struct templateFunction textsOf timeValue typedText valueFromJson variadicFunction',
  'return the connection of a driver, with its errors': 'openSqliteDatabase',
  'are for tests of apps, and fail with an Error that explains the test':
    'createScriptedRunner driveFlow',
  'take nothing':
    'createConsoleLogger createMessageOutbox createPasswordStrength createPhoneNumbers loadBcryptVerify',
}

/** Values of the wrong type for any place. */
const junk: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 0,
  () => -1,
  () => Number.NaN,
  () => 1e18,
  () => 10n,
  () => '',
  () => 'x',
  () => 'half \ud800',
  () => '2026-01-02T12:00:00Z',
  () => true,
  () => Symbol('x'),
  () => () => 1,
  () => new Date(startedAt),
  () => new Date(Number.NaN),
  () => [],
  () => new Array(3),
  () => ({}),
  () => new Map([['a', 1]]),
  () => JSON.parse('{"__proto__": {"a": 1}}'),
  () => ({ toString: 1, length: 2 }),
  () => Object.assign(Object.create(null), { text: 'x', config: {} }),
  () => Object.create(null, { x: { get: fail, enumerable: true } }),
  () => new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail }),
  circle,
]

function fail(): never {
  throw new Error('a getter that throws')
}

function circle(): unknown {
  const list: unknown[] = []
  list.push(list, { list })
  return list
}

type Path = readonly (string | number)[]

/** Every path in a value, from the outside in. Ports are not entered. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const isPlain =
    Array.isArray(value) ||
    (typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype)
  const isPort = isPlain && Object.values(Object(value)).some((one) => typeof one === 'function')
  if (!isPlain || isPort) return [path]
  return [
    path,
    ...Object.entries(Object(value)).flatMap(([key, one]) => pathsIn(one, [...path, key])),
  ]
}

function spoiled(value: unknown, path: Path, by: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return by
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...Object(value) }
  Object.defineProperty(copy, step, {
    value: spoiled(Object(value)[step], rest, by),
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}

/** Returns `undefined` if the call succeeded or failed with a descriptive error. */
async function complaint({ call }: Row, args: readonly unknown[]): Promise<string | undefined> {
  try {
    await call(...(args as readonly never[]))
    return undefined
  } catch (error) {
    return core.isGatehouseError(error) ? undefined : `${String(error)}\n${(error as Error)?.stack}`
  }
}

/** The path of every route that answers a GET with JSON. Runs and silences have no fixed path. */
const listPaths = [
  ...['alerts', 'alerts/groups', 'silences', 'receivers', 'status'].map(
    (name) => `/api/v2/${name}`,
  ),
  '/gatehouse/v1/acknowledgements',
  '/gatehouse/v1/alert-groups',
  '/gatehouse/v1/alert-history',
  '/gatehouse/v1/alerts',
  '/gatehouse/v1/alerts/summary',
  '/gatehouse/v1/expected-alerts',
  '/gatehouse/v1/firing-history',
  '/gatehouse/v1/notification-counts',
  '/gatehouse/v1/other-servers',
  '/gatehouse/v1/server-status',
  '/gatehouse/v1/notifications',
  '/gatehouse/v1/recurring-silences',
  '/gatehouse/v1/routes',
  '/gatehouse/v1/silence-history',
  '/gatehouse/v1/silences',
  '/runs',
  '/webhooks',
  '/api/v1/account',
  '/api/v1/account/activity',
  '/api/v1/account/api-keys',
  '/api/v1/account/apps',
  '/api/v1/account/export',
]

/** The paths that answer a GET with something else, or need a query. */
const otherPaths = [
  '/gatehouse/v1/changes',
  '/webhooks/refusals',
  '/authflow/v2/keep_account',
  '/runs/changes',
  '/gatehouse/v1/me',
  '/gatehouse/v1/affected-alerts',
  '/api/v2/swagger.json',
  '/-/healthy',
  '/-/ready',
  '/metrics',
  '/healthz',
  '/readyz',
  '/api/v1/authentication_flows/ws',
  '/authflow/v2/verify_login_link',
  '/authflow/v2/reset_password',
  '/.well-known/jwks.json',
  '/authflow/v2/not_me',
]

let readers = 0

async function checkLists({ alerts, auth, webhooks }: World): Promise<void> {
  const routes = [...alerts.routes, ...webhooks.routes, ...auth.routes, ...core.accountRoutes(auth)]
  // An empty configuration is valid, and has no administrator.
  core.updateWebhooksConfig(webhooks, webhooksConfig)
  core.updateAuthConfig(auth, `${authConfig}api_keys: { scopes: [a] }\n`)
  const user = await core.createUser(auth, { email: `reader${readers++}@x.example` })
  const { cookies } = await core.createSession(auth, user, { amr: [] })
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { cookie, authorization: 'Bearer harbor-lantern-42' }
  const ask = core.fetchHandler(routes)
  for (const path of listPaths) {
    const response = await ask(new Request(`https://app.example${path}`, { headers }))
    expect([path, response.status, await response.json()]).toMatchObject([path, 200, {}])
  }
}

/** The world of all operations in turn, so that each also meets what the others have left. In the wide lane each has its own. */
const shared = createWorld()
const sharedRows = rowsOf(shared)

describe('every exported operation', () => {
  it('has a row here', () => {
    const names = entries.flatMap((entry) =>
      Object.entries(entry).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
    )
    const excused = new Set(Object.values(others).flatMap((list) => list.split(' ')))
    expect(names.filter((name) => !Object.hasOwn(sharedRows, name) && !excused.has(name))).toEqual(
      [],
    )
  })

  it('is followed by a request to every list', () => {
    const { alerts, auth, webhooks } = createWorld()
    const routes = [
      ...alerts.routes,
      ...webhooks.routes,
      ...auth.routes,
      ...core.accountRoutes(auth),
    ]
    const paths = routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : []))
    const isList = (path: string): boolean => !/:|.\/$/.test(path) && !otherPaths.includes(path)
    expect(new Set(paths.filter(isList))).toEqual(new Set(listPaths))
  })

  it('succeeds with valid arguments', async () => {
    const world = createWorld()
    for (const [name, row] of Object.entries(rowsOf(world))) {
      expect([name, await complaint(row, row.args)]).toEqual([name, undefined])
    }
    await checkLists(world)
  })

  it.each(Object.keys(sharedRows))(
    '%s refuses invalid values with a GatehouseError, in every place',
    async (name) => {
      const world = isWide ? createWorld() : shared
      const row = (isWide ? rowsOf(world) : sharedRows)[name] ?? expect.fail('no row')
      const complaints: string[] = []
      for (const [index, right] of row.args.entries()) {
        const paths = pathsIn(right)
        // Of several places each gets half of the values, and each value goes to half of the places. A whole configuration has many
        // places: there it is an eighth.
        const isInLane = sampleOf(paths.length > 100 ? 8 : paths.length > 5 ? 2 : 1)
        for (const [place, path] of paths.entries()) {
          for (const [which, make] of junk.entries()) {
            if (!isInLane(place, which)) continue
            const args = row.args.with(index, spoiled(right, path, make()))
            const found = await complaint(row, args)
            if (found !== undefined) complaints.push(`${index}.${path.join('.')}: ${found}`)
          }
        }
      }
      expect(complaints.slice(0, 3)).toEqual([])
      if (isWide || row.reachesLists) await checkLists(world)
    },
  )

  it('survives random values, and the lists still work', async () => {
    const world = createWorld()
    const rows = Object.entries(rowsOf(world))
    const value = fc.anything({
      withDate: true,
      withMap: true,
      withBigInt: true,
      withNullPrototype: true,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rows),
        fc.array(value, { maxLength: 3 }),
        async ([name, row], args) => {
          expect([name, await complaint(row, args)]).toEqual([name, undefined])
        },
      ),
      { numRuns: runsOf(100) },
    )
    await checkLists(world)
  })
})
