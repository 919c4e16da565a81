import {
  accountRoutes,
  disableUser,
  getUser,
  identifyRequests,
  type Json,
  type Route,
  resolveSession,
  revokeSession,
  type Subject,
  updateAuthConfig,
  updateUser,
  userRoutes,
} from '@gatehouse/core'
import {
  createAnonymousUser,
  createInvitation,
  impersonateUser,
  type SetCookie,
} from '@gatehouse/core/auth'
import { expect } from 'vitest'
import { openSocket } from '../../../test-support/socket-client.ts'
import { createSoftwareAuthenticator } from '../src/auth/webauthn/software-authenticator.fixture.ts'
import type { AuthVector, RequestStep, VectorStep } from './auth-vector.ts'
import { countRecords, overwriteUser, waitingEvents } from './auth-vector-records.ts'
import {
  type AuthVectorTarget,
  configOf,
  createWorld,
  userId,
  type World,
} from './auth-vector-world.ts'
import { exchange, type ReceivedResponse } from './exchange.ts'
import { expectDescribed } from './openapi.fixture.ts'

/** Runs a vector and compares the answers with the expected ones. */
export async function runAuthVector(vector: AuthVector, target: AuthVectorTarget): Promise<void> {
  const world = await createWorld(vector, target)
  const { auth } = world
  target.server.serve([...auth.routes, ...accountRoutes(auth), ...operatorRoutes(vector, auth)])
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

/** The routes for the operators of a vector. A user has the rights of the operator whose name is in the attribute `x_role`. */
function operatorRoutes({ operators }: AuthVector, auth: World['auth']): readonly Route[] {
  if (operators === undefined) return []
  const subjectOf = (id: string, kind: string, name = id): Subject => ({
    id,
    kind,
    roles: Object.hasOwn(operators, name) ? (operators[name] ?? []) : [],
  })
  const routes = userRoutes(auth, {
    subjectOf: ({ id, custom_attributes: { x_role: role } }) =>
      subjectOf(id, 'session', String(role)),
  })
  return identifyRequests(routes, ({ headers }) => {
    const name = headers.get('x-operator')
    return name === null ? undefined : subjectOf(name, 'user')
  })
}

function runStep(world: World, step: VectorStep): Promise<void> {
  if ('send' in step) return runRequest(world, step)
  return runOther(world, step)
}

async function runOther(world: World, step: Exclude<VectorStep, RequestStep>): Promise<void> {
  const { auth, clock, outbox, texts, vector } = world
  if ('passSeconds' in step) clock.advance(step.passSeconds * 1_000)
  else if ('configure' in step) {
    updateAuthConfig(auth, configOf(vector, step.configure))
  } else if ('disable' in step) {
    const { reason } = step
    await disableUser(auth, userId(world, step.disable), reason === undefined ? {} : { reason })
  } else if ('impersonate' in step) {
    const { operator, browser } = step
    const user = userId(world, step.impersonate)
    keepAll(world, browser, (await impersonateUser(auth, user, { operator, reason: 'x' })).cookies)
  } else if ('keyIs' in step) await checkKey(world, step)
  else if ('invite' in step) await createInvitation(auth, step.invite)
  else if ('update' in step) await updateUser(auth, userId(world, step.update), step.changes)
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
    expect((await waitingEvents(world.storage)).map(({ type }) => type)).toEqual(step.events)
  } else if ('told' in step) {
    const event = (await waitingEvents(world.storage)).findLast(({ type }) => type === step.told)
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
    // The approving process checks its listeners at once. Its messages take some time.
    await auth.listeners.look()
    const messages = (await socket?.received(step.messages.length)) ?? []
    expect(messages.map((text) => JSON.parse(text))).toEqual(step.messages)
  }
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

async function checkKey(
  { auth, texts }: World,
  { keyIs: key, has, none }: Extract<VectorStep, { keyIs: string }>,
): Promise<void> {
  const headers = new Headers({ authorization: `Bearer ${texts.fill(key)}` })
  const found = await resolveSession(auth, { headers }, { apiKeys: true })
  if (none === true) expect(found).toBeUndefined()
  else expect(found).toMatchObject(Object(has))
}

async function enterAnonymously(world: World, browser: string): Promise<void> {
  const cookie = cookieHeader(world, browser)
  keepAll(
    world,
    browser,
    (await createAnonymousUser(world.auth, { ip: '192.0.2.1', cookie })).cookies,
  )
}

function keepAll(world: World, browser: string, cookies: readonly SetCookie[]): void {
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
    const body: unknown = withoutTrackingId(JSON.parse(received.text))
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
  const path = `${places[name] ?? texts.fill(name)}${texts.fill(query)}`
  const received = await exchange(server.port, {
    method,
    path,
    headers: {
      'x-forwarded-for': address,
      'x-forwarded-proto': secure ? 'https' : 'http',
      ...(cookie === '' ? {} : { cookie }),
      ...(texts.fillAll(headers) as typeof headers),
    },
    ...(text === undefined ? {} : { body: text }),
  })
  expectDescribed('auth', { method, path, body: text, received })
  keepCookies(world, browser, received)
  return received
}

/** Each error has an id of its own. */
function withoutTrackingId(body: { readonly error?: { readonly tracking_id?: string } }): unknown {
  if (body.error === undefined) return body
  const { tracking_id: id, ...error } = body.error
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  return { ...body, error }
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
