import {
  type AuthContext,
  createAnonymousUser,
  createAuth,
  createScryptHasher,
  disableUser,
  getUser,
  type ImportedUser,
  importUsers,
  type Json,
  resolveSession,
  revokeSession,
  type Storage,
  updateAuthConfig,
  updateUser,
} from '@gatehouse/core'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMessageOutbox, type ManualClock, type MessageOutbox } from '@gatehouse/core/testing'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { openSocket, type SocketClient } from '../../../test-support/socket-client.ts'
import { createFakeOAuthClient, type FakeOAuthClient } from '../src/auth/providers/oauth.fixture.ts'
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../src/passkeys/software-authenticator.fixture.ts'
import { createPlaceholders, type Placeholders } from './auth-placeholders.ts'
import type { AuthVector, ConfigParts, RequestStep, VectorStep, VectorUser } from './auth-vector.ts'
import { createVectorHook, vectorBotVerifier } from './auth-vector-ports.ts'
import { countRecords, overwriteUser, toldEvents } from './auth-vector-records.ts'
import { exchange, type ReceivedResponse } from './exchange.ts'
import type { SwitchingServer } from './servers.ts'

/** What a vector runs against. */
export interface AuthVectorTarget {
  readonly server: SwitchingServer
  readonly storage: Storage
  readonly clock: ManualClock
}

/** Requests come over one proxy, which has TLS. */
const baseConfig = {
  id: 'vectors',
  http: { public_origin: 'https://auth.example.com', trust_proxy: 1 },
}

const isObject = (value: unknown): value is ConfigParts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(base: ConfigParts, parts: ConfigParts): ConfigParts {
  const merged = { ...base }
  for (const [key, value] of Object.entries(parts)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}

/** Cheap, so that a thousand sign-ins take no time. */
const hasher = createScryptHasher({ N: 16, r: 1, p: 1 })

interface World extends AuthVectorTarget {
  readonly vector: AuthVector
  readonly auth: AuthContext
  readonly outbox: MessageOutbox
  readonly texts: Placeholders
  /** Ids of users by their address or name. */
  readonly users: ReadonlyMap<string, string>
  /** Cookies by browser. */
  readonly cookies: Map<string, Map<string, string>>
  readonly sockets: Map<string, SocketClient>
  /** What keeps the passkeys of each browser. */
  readonly authenticators: Map<string, SoftwareAuthenticator>
  /** The identity providers. */
  readonly oauth: FakeOAuthClient
}

/** Runs one vector and compares what comes back with what it says. */
export async function runAuthVector(vector: AuthVector, target: AuthVectorTarget): Promise<void> {
  const outbox = createMessageOutbox()
  const users = new Map<string, string>()
  const oauth = createFakeOAuthClient()
  const auth = createService(vector, { ...target, users, oauth }, outbox)
  for (const [name, id] of await createUsers(auth, vector.users ?? [])) users.set(name, id)
  const world: World = {
    ...target,
    vector,
    auth,
    outbox,
    texts: createPlaceholders((name) => computed(name, target.clock, outbox)),
    users,
    cookies: new Map(),
    sockets: new Map(),
    authenticators: new Map(),
    oauth,
  }
  target.server.serve(auth.routes)
  try {
    for (const [index, step] of vector.steps.entries()) {
      await runStep(world, step).catch((error: unknown) => {
        if (error instanceof Error) error.message = `step ${index}: ${error.message}`
        throw error
      })
    }
  } finally {
    for (const socket of world.sockets.values()) socket.cut()
    await Promise.all(auth.sending)
  }
}

function createService(
  vector: AuthVector,
  target: AuthVectorTarget & Pick<World, 'users' | 'oauth'>,
  outbox: MessageOutbox,
): AuthContext {
  const { config = {}, bridge, hook, passwordStrength, without = [], maxBodyBytes } = vector
  const { idTokens } = vector
  const { storage, clock, users, oauth } = target
  const senders = Object.entries(outbox.senders).filter(([name]) => !without.includes(name))
  return createAuth({
    storage,
    clock,
    hasher,
    config: merge(baseConfig, config),
    secrets: [{ id: 'k1', key: 'a key of vectors, of at least thirty-two bytes' }],
    senders: Object.fromEntries(senders),
    onEvent: () => {},
    passkeys: createPasskeys(),
    oauth,
    ...(idTokens === undefined
      ? {}
      : {
          idTokenVerifier: async (token) => {
            const name = idTokens[token]
            return name === undefined ? undefined : (users.get(name) ?? name)
          },
        }),
    ...(bridge === undefined
      ? {}
      : {
          authorizationBridge: {
            resolve: async (reference) => bridge[reference],
            finish: async ({ redirect_uri: uri }, { amr }) =>
              `${uri}?code=one-time&amr=${amr.join('+')}`,
          },
        }),
    ...(hook === undefined ? {} : { hook: createVectorHook(hook, clock) }),
    botVerifier: vectorBotVerifier,
    ...(passwordStrength === undefined ? {} : { passwordStrength: () => passwordStrength }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  })
}

/** `code:<address>`, the newest one sent there; `totp:<secret>`, the code of this moment; `codeIn:<query>`. */
function computed(name: string, clock: ManualClock, outbox: MessageOutbox): string | undefined {
  const [kind, ...rest] = name.split(':')
  const of = rest.join(':')
  if (kind === 'code') return outbox.codeTo(of)
  if (kind === 'codeIn') return new URLSearchParams(of).get('code') ?? undefined
  if (kind !== 'totp') return undefined
  return new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: clock.now() })
}

async function createUsers(
  auth: AuthContext,
  users: readonly VectorUser[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const user of users) {
    const [made] = await importUsers(auth, [await importedUser(auth, user)])
    if (made?.outcome !== 'inserted')
      throw new Error(`a user cannot be made: ${made?.error.message}`)
    for (const name of [user.email, user.phone_number, user.preferred_username]) {
      if (name !== undefined) ids.set(name, made.user_id)
    }
  }
  return ids
}

async function importedUser(auth: AuthContext, user: VectorUser): Promise<ImportedUser> {
  const { password, mfa, password_expired_ms: expiredMs, ...rest } = user
  const hashed = async (text: string) =>
    ({ type: 'scrypt', password_hash: await hasher.hash(text) }) as const
  const expiry = expiredMs === undefined ? {} : { expire_after: auth.clock.now() - expiredMs }
  const { password: secondary, ...factors } = mfa ?? {}
  return {
    ...rest,
    ...(password === undefined ? {} : { password: { ...(await hashed(password)), ...expiry } }),
    mfa: { ...factors, ...(secondary === undefined ? {} : { password: await hashed(secondary) }) },
  }
}

function runStep(world: World, step: VectorStep): Promise<void> {
  if ('send' in step) return runRequest(world, step)
  return runOther(world, step)
}

async function runOther(world: World, step: Exclude<VectorStep, RequestStep>): Promise<void> {
  const { auth, clock, outbox, texts, vector } = world
  if ('passSeconds' in step) clock.advance(step.passSeconds * 1_000)
  else if ('configure' in step) {
    updateAuthConfig(auth, merge(merge(baseConfig, vector.config ?? {}), step.configure))
  } else if ('disable' in step) {
    const { reason } = step
    await disableUser(auth, userId(world, step.disable), reason === undefined ? {} : { reason })
  } else if ('update' in step) await updateUser(auth, userId(world, step.update), step.changes)
  else if ('overwrite' in step) {
    await overwriteUser(world.storage, userId(world, step.overwrite), step.user)
  } else if ('failNext' in step) outbox.failNext(new Error(step.failNext))
  else if ('sentTo' in step) {
    await Promise.all(auth.sending)
    const message = outbox.messages.findLast(({ target }) => target === step.sentTo)
    if (step.none === true) expect(message).toBeUndefined()
    else expect(message).toMatchObject(Object(texts.resolve(step.has, message)))
  } else if ('stored' in step) {
    expect(await countRecords(world.storage, Object.keys(step.stored))).toEqual(step.stored)
  } else if ('events' in step) {
    expect((await toldEvents(world.storage)).map(({ type }) => type)).toEqual(step.events)
  } else if ('told' in step) {
    const event = (await toldEvents(world.storage)).findLast(({ type }) => type === step.told)
    expect(event).toMatchObject(Object(step.has))
  } else if ('userOf' in step) await checkUser(world, step)
  else if ('sessionOf' in step) await checkSession(world, step)
  else if ('makePasskey' in step || 'usePasskey' in step) answerByPasskey(world, step)
  else if ('signInAt' in step) {
    texts.set(step.as, world.oauth.signIn(texts.fill(step.signInAt), step.account))
  } else if ('anonymous' in step) await enterAnonymously(world, step.anonymous)
  else if ('revoke' in step) await revokeSession(auth, sessionId(world, step.revoke))
  else if ('listen' in step) await listen(world, step)
  else {
    const socket = world.sockets.get(step.heard)
    // The process that approved looks at once; what it then sends takes its way.
    await auth.listeners.look()
    const messages = (await socket?.received(step.messages.length)) ?? []
    expect(messages.map((text) => JSON.parse(text))).toEqual(step.messages)
  }
}

function userId({ users }: World, name: string): string {
  const id = users.get(name)
  if (id === undefined) throw new Error(`nobody is called ${name}`)
  return id
}

async function checkUser(
  world: World,
  { userOf: browser, has }: Extract<VectorStep, { userOf: string }>,
): Promise<void> {
  const cookie = cookieHeader(world, browser)
  const session = await resolveSession(world.auth, { headers: new Headers({ cookie }) })
  expect(await getUser(world.auth, session?.user_id ?? '')).toMatchObject(Object(has))
}

async function checkSession(
  world: World,
  { sessionOf: browser, has, none }: Extract<VectorStep, { sessionOf: string }>,
): Promise<void> {
  const cookie = cookieHeader(world, browser)
  const session = await resolveSession(world.auth, { headers: new Headers({ cookie }) })
  if (none === true) expect(session).toBeUndefined()
  else expect(session).toMatchObject(Object(has))
}

async function enterAnonymously(world: World, browser: string): Promise<void> {
  const cookie = cookieHeader(world, browser)
  const { cookies } = await createAnonymousUser(world.auth, { ip: '192.0.2.1', cookie })
  const kept = world.cookies.get(browser) ?? new Map<string, string>()
  world.cookies.set(browser, kept)
  for (const { name, value } of cookies) kept.set(name, value)
}

const sessionId = ({ cookies }: World, browser: string): string =>
  cookies.get(browser)?.get('session')?.split('.')[0] ?? ''

type PasskeyStep = Extract<VectorStep, { makePasskey: unknown } | { usePasskey: unknown }>

function answerByPasskey({ authenticators, texts }: World, step: PasskeyStep): void {
  const { browser = 'desktop', as } = step
  const page = { origin: 'https://auth.example.com', rpId: 'auth.example.com' }
  const authenticator = authenticators.get(browser) ?? createSoftwareAuthenticator(page)
  authenticators.set(browser, authenticator)
  const answer =
    'makePasskey' in step
      ? authenticator.create(texts.fillAll(step.makePasskey) as Json)
      : authenticator.get(texts.fillAll(step.usePasskey) as Json)
  texts.set(as, answer)
}

async function listen(
  { texts, server, sockets, auth }: World,
  { listen: url, as }: Extract<VectorStep, { listen: string }>,
): Promise<void> {
  const { pathname, search } = new URL(texts.fill(url))
  const headers = { 'x-forwarded-proto': 'https', origin: 'https://auth.example.com' }
  sockets.set(
    as,
    await openSocket(`ws://127.0.0.1:${server.port}${pathname}${search}`, { headers }),
  )
  await auth.listeners.look()
}

const places: Readonly<Record<string, string>> = {
  create: '/api/v1/authentication_flows',
  input: '/api/v1/authentication_flows/states/input',
  state: '/api/v1/authentication_flows/states',
  approve: '/api/v1/authentication_flows/links/approve',
}

function cookieHeader({ cookies }: World, browser: string): string {
  return [...(cookies.get(browser) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
}

async function runRequest(world: World, step: RequestStep): Promise<void> {
  let received = await send(world, step)
  for (let time = 1; time < (step.times ?? 1); time++) received = await send(world, step)
  const { texts } = world
  const { status = 200, answer, has, contains, answered = {}, cookies } = step
  expect(received.status, received.text).toBe(status)
  expect(received.header('cache-control')).toBe('no-store')
  if (answer !== undefined || has !== undefined) {
    expect(received.header('content-type')).toBe('application/json')
    const body: unknown = JSON.parse(received.text)
    if (answer !== undefined) expect(body).toEqual(texts.resolve(answer, body))
    if (has !== undefined) expect(body).toMatchObject(Object(texts.resolve(has, body)))
  }
  if (contains !== undefined) expect(received.text).toContain(texts.fill(contains))
  for (const [name, value] of Object.entries(answered)) {
    expect(received.header(name), name).toEqual(texts.resolve(value, received.header(name)))
  }
  if (cookies !== undefined) {
    expect(received.values('set-cookie').map((cookie) => cookie.split('=', 1)[0])).toEqual(cookies)
  }
}

async function send(world: World, step: RequestStep): Promise<ReceivedResponse> {
  const { texts, server } = world
  const { browser = 'desktop', address = '192.0.2.1', secure = true, headers = {} } = step
  const [method = '', to = ''] = step.send.split(' ')
  const mark = to.indexOf('?')
  const [name, query] = mark < 0 ? [to, ''] : [to.slice(0, mark), to.slice(mark)]
  const cookie = cookieHeader(world, browser)
  const text =
    step.text ?? (step.body === undefined ? undefined : JSON.stringify(texts.fillAll(step.body)))
  const received = await exchange(server.port, {
    method,
    path: `${places[name] ?? texts.fill(name)}${texts.fill(query)}`,
    headers: {
      'x-forwarded-for': address,
      'x-forwarded-proto': secure ? 'https' : 'http',
      ...(cookie === '' ? {} : { cookie }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  })
  keepCookies(world, browser, received)
  return received
}

function keepCookies({ cookies }: World, browser: string, received: ReceivedResponse): void {
  const kept = cookies.get(browser) ?? new Map<string, string>()
  cookies.set(browser, kept)
  for (const text of received.values('set-cookie')) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    if (/; Max-Age=0(;|$)/.test(text)) kept.delete(name)
    else kept.set(name, value)
  }
}
