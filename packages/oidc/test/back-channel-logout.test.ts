import { text as readText } from 'node:stream/consumers'
import { createSession, logout, resolveSession, type Session, startAuth } from '@gatehouse/core'
import {
  deleteUser,
  disableUser,
  revokeAllSessions,
  revokeOtherSessions,
  revokeOwnSession,
  revokeSession,
  revokeUserSession,
  revokeUserSessions,
  setPassword,
} from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modelCollections } from '../src/models/model-record.ts'
import { listen } from './live.fixture.ts'
import {
  authorize,
  type Browser,
  clients,
  origin,
  startWorld,
  type World,
  type WorldOptions,
} from './world.fixture.ts'

const startOfTests = Date.parse('2026-03-04T10:00:00Z')

/** An app that gets logout tokens. */
interface Receiver {
  readonly uri: string
  /** The tokens it was sent. */
  readonly told: string[]
  /** What it answers (default 200). */
  status: number
}

async function startReceiver(): Promise<Receiver> {
  const told: string[] = []
  const receiver = { uri: '', told, status: 200 }
  const address = await listen('127.0.0.1', (request, response) => {
    void readText(request).then((body) => {
      told.push(new URLSearchParams(body).get('logout_token') ?? '')
      response.writeHead(receiver.status).end()
    })
  })
  receiver.uri = `${address}/logout?key=s3cret-of-the-app`
  return receiver
}

/** A server with two apps that want to know of sign-outs, and one that does not. */
async function start(given: WorldOptions = {}) {
  const [board, shop] = [await startReceiver(), await startReceiver()]
  const clock = createManualClock(startOfTests)
  const storage = createMemoryStorage({ clock })
  const options = {
    storage,
    auth: { clock },
    oidc: {
      clients: [
        { ...clients.web, backchannelLogoutUri: board.uri },
        { ...clients.spa, backchannelLogoutUri: shop.uri },
        { ...clients.asking, consent: 'never' as const },
      ],
    },
    ...given,
  }
  const world = await startWorld({ ...options, hasKeys: true })
  return { world, board, shop, clock, options }
}

/** Delivers events in the background, as a process does. */
function run({ auth }: World): void {
  const running = startAuth(auth)
  onTestFinished(() => running.stop())
}

/** Signs the person in at an app. Returns the claims of the ID token. */
async function signIn(world: World, browser: Browser, clientId: string) {
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration)
  let page = await browser.open(url)
  if (page.url.pathname === '/login') page = await browser.signIn(page)
  const tokens = await client.authorizationCodeGrant(configuration, page.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  return { configuration, tokens, claims: tokens.claims() }
}

async function sessionOf({ auth }: World, browser: Browser): Promise<Session> {
  const session = await resolveSession(auth, {
    headers: new Headers({ cookie: browser.cookies('/') }),
  })
  return session ?? expect.fail('the browser has no session')
}

async function verified(world: World, token: string, audience: string): Promise<JWTPayload> {
  const keys = (await (await world.fetch(`${origin}/oidc/jwks`)).json()) as JSONWebKeySet
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer: origin,
    audience,
    typ: 'logout+jwt',
    currentDate: new Date(),
  })
  return payload
}

/** Lets seconds pass until an app has been sent so many tokens. */
async function untilTold(
  { clock }: Pick<Awaited<ReturnType<typeof start>>, 'clock'>,
  { told }: Receiver,
  count: number,
): Promise<void> {
  await expect
    .poll(() => {
      clock.advance(1_000)
      return told.length
    })
    .toBe(count)
}

type End = (world: World, session: Session, browser: Browser) => Promise<unknown>

const ends: Readonly<Record<string, End>> = {
  'the person ends it on the account page': ({ auth }, session) =>
    revokeOwnSession(auth, session, session.id),
  'the person ends all others': async ({ auth }, { user_id: userId }) => {
    const { session } = await createSession(auth, userId, { amr: ['pwd'] })
    await revokeOtherSessions(auth, session)
  },
  'the person signs out': ({ auth }, _session, browser) =>
    logout(auth, { headers: new Headers({ cookie: browser.cookies('/') }) }),
  'an operator ends it': ({ auth }, { user_id: userId, id }) => revokeUserSession(auth, userId, id),
  'an operator ends all of the person': ({ auth }, { user_id: userId }) =>
    revokeUserSessions(auth, userId),
  'the program ends it': ({ auth }, { id }) => revokeSession(auth, id),
  'the program ends all of the person': ({ auth }, { user_id: userId }) =>
    revokeAllSessions(auth, userId),
  'the password is changed': ({ auth }, { user_id: userId }) =>
    setPassword(auth, userId, 'correct horse battery staple'),
  'the user is disabled': ({ auth }, { user_id: userId }) => disableUser(auth, userId),
  'the user is deleted': ({ auth }, { user_id: userId }) => deleteUser(auth, userId),
}

describe('an app that was signed in to by a session', () => {
  it.each(Object.entries(ends))('is notified, once, when %s', async (_name, end) => {
    const { world, board, shop, clock, options } = await start()
    const browser = world.browser()
    const { claims } = await signIn(world, browser, 'web')
    const atShop = await signIn(world, browser, 'spa')
    await signIn(world, browser, 'asking')
    const session = await sessionOf(world, browser)
    const stranger = await startWorld({ ...options, userId: world.userId })
    run(stranger)
    run(world)
    await end(world, session, browser)
    expect([board.told, shop.told]).toEqual([[], []])
    await untilTold({ clock }, board, 1)
    await untilTold({ clock }, shop, 1)
    expect(await verified(world, board.told[0] ?? '', 'web')).toMatchObject({
      sub: world.userId,
      sid: claims?.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(await verified(world, shop.told[0] ?? '', 'spa')).toMatchObject({
      sid: atShop.claims?.sid,
    })
    const left = await modelCollections.Session.find(world.auth.storage, { by: 'id', limit: 9 })
    expect(left).toEqual([])
    clock.advance(3_600_000)
    expect([board.told.length, shop.told.length]).toEqual([1, 1])
  })

  it('is notified of that session alone', async () => {
    const { world, board, clock } = await start()
    const [one, other] = [world.browser(), world.browser()]
    const ended = await signIn(world, one, 'web')
    const going = await signIn(world, other, 'web')
    run(world)
    await revokeSession(world.auth, (await sessionOf(world, one)).id)
    await untilTold({ clock }, board, 1)
    const { sid } = await verified(world, board.told[0] ?? '', 'web')
    expect(sid).toBe(ended.claims?.sid)
    expect(sid).not.toBe(going.claims?.sid)
    const { url } = await authorize(going.configuration, { prompt: 'none' })
    expect((await other.open(url)).url.searchParams.get('code')).not.toBeNull()
  })

  it('is notified again, with a new token, until it accepts; the others are not', async () => {
    const { world, board, shop, clock } = await start()
    const browser = world.browser()
    await signIn(world, browser, 'web')
    await signIn(world, browser, 'spa')
    board.status = 503
    run(world)
    await revokeSession(world.auth, (await sessionOf(world, browser)).id)
    await untilTold({ clock }, board, 2)
    board.status = 204
    await untilTold({ clock }, board, 3)
    clock.advance(3_600_000)
    expect(shop.told).toHaveLength(1)
    const ids = await Promise.all(
      board.told.map(async (token) => (await verified(world, token, 'web')).jti),
    )
    expect(new Set(ids).size).toBe(3)
    const warnings = world.logged.filter(({ message }) => message.startsWith('an app was not'))
    expect(warnings.map(({ fields }) => fields)).toEqual([
      { client_id: 'web', status: 503 },
      { client_id: 'web', status: 503 },
    ])
    expect(JSON.stringify(world.logged)).not.toContain('s3cret-of-the-app')
  })

  it('is given up after twenty attempts', async () => {
    const { world, board, clock } = await start()
    const browser = world.browser()
    await signIn(world, browser, 'web')
    board.status = 500
    run(world)
    await revokeSession(world.auth, (await sessionOf(world, browser)).id)
    await expect
      .poll(() => {
        clock.advance(600_000)
        return world.logged.filter(({ message }) => message === 'an event was dropped')
      })
      .toHaveLength(1)
    expect(board.told.length).toBeLessThanOrEqual(20)
  })

  it('holds up no others while it does not answer: it is left alone for ten seconds', async () => {
    const { world, board, shop, clock } = await start()
    const [one, other] = [world.browser(), world.browser()]
    for (const browser of [one, other]) {
      await signIn(world, browser, 'web')
      await signIn(world, browser, 'spa')
    }
    board.status = 500
    run(world)
    for (const browser of [one, other]) {
      await revokeSession(world.auth, (await sessionOf(world, browser)).id)
    }
    await untilTold({ clock }, shop, 2)
    expect(board.told).toHaveLength(1)
    board.status = 200
    await untilTold({ clock }, board, 3)
  })

  it('is notified after a sign-out at another app, which does not wait for it', async () => {
    const { world, board, shop, clock } = await start()
    const browser = world.browser()
    const { configuration, tokens } = await signIn(world, browser, 'web')
    await signIn(world, browser, 'spa')
    run(world)
    const hint = { id_token_hint: tokens.id_token ?? '' }
    const page = await browser.open(client.buildEndSessionUrl(configuration, hint))
    const left = await browser.send(page, { logout: 'yes' })
    expect([left.status, board.told, shop.told]).toEqual([200, [], []])
    await untilTold({ clock }, shop, 1)
    await untilTold({ clock }, board, 1)
  })
})
