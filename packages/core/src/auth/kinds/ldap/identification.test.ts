import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith, slapdBinary } from '../../../../../../test-support/binaries.ts'
import { type Directory, startDirectory } from '../../../../../../test-support/directory.ts'
import { createCertificate } from '../../../http-client/certificate.fixture.ts'
import { createLdapClient, type LdapClientOptions } from '../../ldap-client/create-ldap-client.ts'
import type { LdapClient } from '../../ldap-client/ldap.ts'
import { createAnonymousUser } from '../../people/create-anonymous-user.ts'
import { findUsers } from '../../people/find-users.ts'
import { getUser } from '../../people/get-user.ts'
import { importUsers } from '../../people/import-users.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../../service.fixture.ts'
import { createFakeOAuthClient } from '../oauth/oauth.fixture.ts'

const email = 'maya@harborlight.example'
const base = 'dc=harborlight,dc=example'
const person = (uid: string, more = ''): string => `dn: uid=${uid},${base}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} of the harbor
sn: Harbor
employeeNumber: id-${uid}
mail: ${uid}@harborlight.example
userPassword: tidal-${uid}
${more}
`
/** `twin` has two entries; nobody may sign in as either. */
const ldif = [
  person('maya'),
  person('lena'),
  person('twin'),
  person('second').replace('uid: second', 'uid: second\nuid: twin'),
  person('star*'),
].join('\n')

const authority = createCertificate('authority')
const certificate = createCertificate('directory', { issuer: authority })

const serverOf = (url: string, more: object = {}): object => ({
  name: 'harbor',
  url,
  search_base_dn: base,
  search_filter_template: '(uid={{ $.Username }})',
  user_id_attribute_name: 'employeeNumber',
  ...more,
})

const configOf = (servers: readonly object[], delta: ConfigDelta = {}): ConfigDelta => ({
  authentication: { identities: ['ldap', 'login_id'] },
  identity: { ldap: { servers } },
  ...delta,
})

const login = (username = 'maya', password = `tidal-${username}`) => ({
  identification: 'ldap',
  server_name: 'harbor',
  username,
  password,
})

async function begin(world: TestAuth, type: 'signup' | 'login' | 'signup_login', given: object) {
  const flow = await startFlow(world, type)
  return { flow, result: await flow.input(given as never) }
}

const wrong = {
  reason: 'InvalidCredentials',
  code: 401,
  info: { AuthenticationType: 'ldap' },
}

describeWith([slapdBinary], 'a user of a directory', () => {
  let directory: Directory
  beforeAll(async () => {
    const { cert, key } = certificate
    directory = await startDirectory({ ldif, certificate: cert, key })
  })
  afterAll(() => directory.stop())

  const client = (options: LdapClientOptions = {}): LdapClient =>
    createLdapClient({
      credentials: { harbor: directory.account },
      ca: { harbor: authority.cert },
      timeoutMs: 30_000,
      ...options,
    })
  const plain = () => `ldap://127.0.0.1:${directory.port}`
  const world = (delta: ConfigDelta = {}, options: LdapClientOptions = {}): TestAuth =>
    testAuth(configOf([serverOf(plain())], delta), { ldap: client(options) })

  it('signs up with the generated flow, and logs in as the same user', async () => {
    const of = world()
    const flow = await startFlow(of, 'signup')
    expect(stateOf(flow.last).action.data).toMatchObject({
      options: [{ identification: 'ldap', server_name: 'harbor' }, { identification: 'email' }],
    })
    expect(stateOf(await flow.input(login())).action.type).toBe('finished')
    const [user] = await findUsers(of.auth, { email })
    expect(user?.standard_attributes).toMatchObject({ email })
    const { result } = await begin(of, 'login', login(' MAYA ', 'tidal-maya'))
    expect(stateOf(result).action.type).toBe('finished')
    expect(await findUsers(of.auth, { email })).toHaveLength(1)
  })

  it('signs up or logs in, whichever fits', async () => {
    const of = world()
    for (const type of ['signup', 'login']) {
      const { result } = await begin(of, 'signup_login', login())
      expect(stateOf(result)).toMatchObject({ type, action: { type: 'finished' } })
    }
  })

  it.each([
    ['a wrong password', login('maya', 'tidal-lena')],
    ['an unknown name', login('noor', 'tidal-maya')],
    ['a name with two entries', login('twin', 'tidal-twin')],
    ['a filter in the name', login('maya)(uid=*', 'tidal-maya')],
    ['a wildcard', login('m*', 'tidal-maya')],
  ])('is refused with %s', async (_, given) => {
    const { result } = await begin(world(), 'signup', given)
    expect(errorOf(result)).toMatchObject(wrong)
  })

  it('may have special characters in the name', async () => {
    const { result } = await begin(world(), 'signup', login('star*', 'tidal-star*'))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('cannot sign in without a password', async () => {
    const { result } = await begin(world(), 'signup', login('maya', ''))
    expect(errorOf(result)).toMatchObject({ reason: 'ValidationFailed' })
    const { servers } = world().auth.config.current.identity.ldap
    const [server] = servers
    if (server === undefined) throw new Error('there is no server')
    const empty = { username: 'maya', password: '' }
    expect(await client().authenticate(server, empty)).toBeUndefined()
  })

  it.each([
    ['the longest name', 'x'.repeat(1_024)],
    ['a NUL character', 'maya\0'],
    ['half of a surrogate pair', 'maya\ud800'],
    ['a name of spaces alone', ' \u2003 '],
  ])('is refused with %s', async (_, name) => {
    const { result } = await begin(world(), 'signup', login(name, 'tidal-maya'))
    expect(errorOf(result)).toMatchObject({ code: expect.toSatisfy((code) => code < 500) })
  })

  it('is unknown in a login if it has not signed up', async () => {
    const { result } = await begin(world(), 'login', login())
    expect(errorOf(result)).toMatchObject({ reason: 'UserNotFound', code: 404 })
  })

  it('has a limited number of attempts by name', async () => {
    const per_user = { enabled: true, period: '1h', burst: 2 }
    const of = world({
      authentication: { identities: ['ldap'], rate_limits: { password: { per_user } } },
    })
    const reasons = []
    for (const spelling of ['Maya', 'ｍa\u00adya', 'maya \u200b']) {
      const { result } = await begin(of, 'signup', login(spelling, 'wrong'))
      reasons.push(errorOf(result).reason)
    }
    expect(reasons).toEqual(['InvalidCredentials', 'InvalidCredentials', 'RateLimited'])
    const { result } = await begin(of, 'signup', login('lena'))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('becomes the way to sign in for an anonymous user', async () => {
    const of = world({ authentication: { identities: ['ldap', 'anonymous'] } })
    const { user_id: guest, cookies } = await createAnonymousUser(of.auth)
    const flow = await startFlow(of, 'promote', { cookie: `session=${cookies[0]?.value}` })
    expect(stateOf(await flow.input(login())).action.type).toBe('finished')
    expect(await getUser(of.auth, guest)).toMatchObject({
      identities: [{ type: 'custom', identification: 'ldap', unique_key: 'harbor:id-maya', email }],
    })
  })

  it('is not sent to the directory before bot protection has passed', async () => {
    const one_of = [{ identification: 'ldap', bot_protection: { mode: 'always' } }]
    const asked: string[] = []
    const of = testAuth(
      configOf([serverOf(plain())], {
        bot_protection: { enabled: true, provider: { type: 'cloudflare', site_key: 'k' } },
        authentication_flow: {
          signup_flows: [{ name: 'mine', steps: [{ type: 'identify', one_of }] }],
        },
      }),
      {
        ldap: {
          async authenticate(_server, { username }) {
            asked.push(username)
            return undefined
          },
        },
        botVerifier: { verify: async () => 'failed' as const },
      },
    )
    const flow = await startFlow(of, 'signup', {}, 'mine')
    const bot_protection = { type: 'cloudflare', response: 'r' }
    expect(errorOf(await flow.input({ ...login(), bot_protection }))).toMatchObject({
      reason: 'BotProtectionVerificationFailed',
    })
    expect(asked).toEqual([])
  })

  it('needs a second factor where the configuration requires one', async () => {
    const of = world({
      authentication: { identities: ['ldap'], secondary_authentication_mode: 'required' },
    })
    const { result } = await begin(of, 'signup', login())
    expect(stateOf(result).action.type).toBe('create_authenticator')
  })

  it.each([
    ['ldaps', () => serverOf(`ldaps://127.0.0.1:${directory.securePort}`)],
    ['StartTLS', () => serverOf(plain(), { start_tls: true })],
  ])('signs in over %s', async (_, server) => {
    const of = testAuth(configOf([server()]), { ldap: client() })
    const { result } = await begin(of, 'signup', login())
    expect(stateOf(result).action.type).toBe('finished')
  })

  it.each([
    ['ldaps', () => serverOf(`ldaps://127.0.0.1:${directory.securePort}`)],
    ['StartTLS', () => serverOf(plain(), { start_tls: true })],
  ])('sends nothing to a server with a certificate of a stranger over %s', async (_, server) => {
    const ca = { harbor: createCertificate('stranger').cert }
    const of = testAuth(configOf([server()]), { ldap: client({ ca }) })
    const { result } = await begin(of, 'signup', login())
    expect(errorOf(result)).toMatchObject({ reason: 'LDAPError', code: 400 })
  })

  it.each<[string, LdapClientOptions]>([
    ['cannot search', { credentials: {} }],
    [
      'has another password',
      { credentials: { harbor: { dn: `cn=gatehouse,${base}`, password: 'other' } } },
    ],
  ])('is refused where the searching account %s', async (_, options) => {
    const { result } = await begin(world({}, options), 'signup', login())
    expect(errorOf(result)).toMatchObject({
      reason: expect.stringMatching(/LDAPError|InvalidCredentials/),
    })
  })

  it('gets a clear error while the directory cannot be reached', async () => {
    const of = testAuth(configOf([serverOf('ldap://127.0.0.1:1')]), { ldap: client() })
    const { result } = await begin(of, 'signup', login())
    expect(errorOf(result)).toMatchObject({
      reason: 'LDAPError',
      message: 'the directory "harbor" could not be asked (ECONNREFUSED)',
    })
  })
})

describe('identity.ldap', () => {
  it('gets the normal form of a password first, and the typed one only if it differs', async () => {
    const passwords: string[] = []
    const ldap: LdapClient = {
      async authenticate(_server, { password }) {
        passwords.push(password)
        if (password !== 'wo\u0308rd' && password !== 'ma\u00f1ana') return undefined
        return { user_id: '1', dn: 'uid=maya', claims: {} }
      },
    }
    const world = testAuth(configOf([serverOf('ldaps://ldap.harborlight.example')]), { ldap })
    for (const password of ['man\u0303ana', 'wo\u0308rd']) {
      const { result } = await begin(world, 'signup_login', login('maya', password))
      expect(stateOf(result).action.type).toBe('finished')
    }
    await begin(world, 'signup_login', login('maya', 'wrong'))
    expect(passwords).toEqual(['ma\u00f1ana', 'w\u00f6rd', 'wo\u0308rd', 'wrong'])
  })

  it.each([
    ['address', { email }],
    ['verified address', { email, email_verified: true }],
    ['user name', { preferred_username: 'maya' }],
    [
      'provider account',
      { identities: [{ type: 'oauth', alias: 'g', subject: '1', claims: { email } }] },
    ],
  ] as const)('has users who are duplicates if another user has their %s', async (_what, user) => {
    const providers = [{ alias: 'g', type: 'google', client_id: 'g-1' }]
    const keys = [{ type: 'email' }, { type: 'username' }]
    const ldap: LdapClient = {
      authenticate: async () => ({
        user_id: '1',
        dn: 'uid=maya',
        claims: { email, preferred_username: 'maya' },
      }),
    }
    const servers = [serverOf('ldaps://ldap.harborlight.example')]
    const of = testAuth(
      {
        authentication: { identities: ['ldap', 'login_id', 'oauth'] },
        identity: { login_id: { keys }, oauth: { providers }, ldap: { servers } },
      },
      { ldap, oauth: createFakeOAuthClient() },
    )
    const [made] = await importUsers(of.auth, [user])
    expect(made?.outcome).toBe('inserted')
    for (const type of ['signup', 'signup_login'] as const) {
      const { result } = await begin(of, type, login())
      expect(errorOf(result)).toMatchObject({
        reason: 'InvariantViolated',
        info: { cause: { kind: 'DuplicatedIdentity' }, IdentityTypeIncoming: 'ldap' },
      })
    }
  })

  it('needs a client', () => {
    expect(() => testAuth(configOf([serverOf('ldaps://a.example')]))).toThrow(/createLdapClient/)
  })

  it.each([
    ['(uid=maya)', 'search_filter_template'],
    ['uid={{ .Username }}', 'search_filter_template'],
    ['(uid={{ .Nobody }})', 'search_filter_template'],
    ['(uid={{ .Username', 'search_filter_template'],
  ])('refuses the filter %s', (search_filter_template) => {
    expect(() =>
      testAuth(configOf([serverOf('ldaps://a.example', { search_filter_template })])),
    ).toThrow(/must be a filter/)
  })

  it("accepts Authgear's name of the base", () => {
    const server = { ...serverOf('ldaps://a.example'), search_base_dn: undefined, base_dn: base }
    const { auth } = testAuth(configOf([server]), { ldap: createLdapClient() })
    expect(auth.config.current.identity.ldap.servers[0]?.search_base_dn).toBe(base)
  })

  it('is warned of without TLS, and where it is never offered', () => {
    const { auth } = testAuth(
      { identity: { ldap: { servers: [serverOf('ldap://a.example')] } } },
      { ldap: createLdapClient() },
    )
    expect(auth.config.current.warnings).toEqual([
      expect.stringContaining('lacks ldap'),
      expect.stringContaining('sends passwords without TLS'),
    ])
  })
})
