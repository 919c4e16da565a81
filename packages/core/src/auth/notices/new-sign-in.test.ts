import { describe, expect, it } from 'vitest'
import { knownBrowsersCollection } from '../accounts/known-browsers-record.ts'
import { createRouteClient } from '../http/routes.fixture.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../service.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { revokeSession } from '../sessions/revoke-session.ts'
import { startEvents } from '../start/start-events.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const home = { ip: '192.0.2.7', userAgent: firefox }
const away = { ip: '198.51.100.4', userAgent: firefox }
const week = 7 * 86_400_000

/** Delivers what waits, once. */
async function deliver({ auth }: TestAuth): Promise<void> {
  const running = startEvents(auth)
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  await running.stop()
}

async function login(world: TestAuth, request: object): Promise<string> {
  const flow = await startFlow(world, 'login', request)
  await flow.input({ identification: 'email', login_id: email })
  const last = await flow.input({ authentication: 'primary_password', password })
  expect(stateOf(last).action.type).toBe('finished')
  const [cookie] = last.cookies.filter(({ name }) => name === 'session')
  return `session=${cookie?.value}`
}

const mailsOf = ({ outbox }: TestAuth) =>
  outbox.messages.filter(({ kind }) => kind === 'new_sign_in')

/** Maya, who has signed in at home. */
async function withMaya(delta: ConfigDelta = {}, options: Parameters<typeof testAuth>[1] = {}) {
  const world = testAuth(delta, options)
  const id = await createUser(world.auth, { email, password })
  await login(world, home)
  return { ...world, id }
}

describe('a mail about a new sign-in', () => {
  it('names device, place and time, and is not sent for the first one or a known one', async () => {
    const world = await withMaya({}, { geoIp: () => 'NO' })
    await login(world, home)
    await deliver(world)
    expect(mailsOf(world)).toEqual([])
    await login(world, away)
    await login(world, away)
    await deliver(world)
    const [mail, ...more] = mailsOf(world)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ target: email, subject: 'New sign-in to your account' })
    expect(mail?.text).toContain('on 4 March 2026 at 10:00 UTC with Firefox on Linux from Norway.')
    expect(mail?.html).toContain('https://auth.example.com/authflow/v2/not_me?code=')
  })

  it('is sent for another browser at a known network, unless it is signed in already', async () => {
    const world = await withMaya()
    const other = { ...home, userAgent: firefox.replace('Linux', 'Windows') }
    const cookie = await login(world, home)
    await login(world, { ...other, cookie })
    await deliver(world)
    expect(mailsOf(world)).toEqual([])
    await login(world, { ...home, userAgent: 'curl/8' })
    await deliver(world)
    expect(mailsOf(world)).toHaveLength(1)
    expect(mailsOf(world)[0]?.text).not.toContain('curl')
  })

  it('is not sent by a service that does not want it, or that cannot send mail', async () => {
    for (const world of [
      await withMaya({ messaging: { notices: { new_sign_in: false } } }),
      await withMaya({}, { senders: {} }),
    ]) {
      await login(world, away)
      await deliver(world)
      expect(mailsOf(world)).toEqual([])
      expect(await knownBrowsersCollection.get(world.storage, world.id)).toBeUndefined()
    }
  })

  it('needs a bounded record, which holds no address and goes with the user', async () => {
    const world = await withMaya()
    for (let i = 1; i <= 30; i++) await login(world, { ...home, ip: `203.0.113.${i}` })
    const stored = await knownBrowsersCollection.get(world.storage, world.id)
    expect(stored?.value.browsers).toHaveLength(20)
    expect(JSON.stringify(stored)).not.toMatch(/203\.0\.113|Firefox/)
    await deleteUser(world.auth, world.id)
    expect(await knownBrowsersCollection.get(world.storage, world.id)).toBeUndefined()
  })
})

describe('the link of the mail', () => {
  const links = { reset_password: 'https://app.example.com/recovery?code={code}' }

  async function opened() {
    const world = await withMaya({ links })
    world.clock.advance(1_000)
    await login(world, away)
    await deliver(world)
    const [mail] = mailsOf(world)
    const link = new URL(/https:\S+code=\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    const client = createRouteClient(world.auth)
    const send = async (method: string, search = link.search, headers = {}) => {
      const answer = await client.send(`${link.pathname}${search}`, { method, headers })
      return { status: answer.status, text: await answer.text() }
    }
    return { ...world, link, send }
  }

  it('ends that session by its button alone, and leads to a new password', async () => {
    const world = await opened()
    expect(await world.send('GET')).toMatchObject({
      status: 200,
      text: expect.stringContaining('End that session'),
    })
    expect(await listSessions(world.auth, world.id)).toHaveLength(2)
    const done = await world.send('POST')
    expect(done.text).toContain('<a href="https://app.example.com/recovery" ')
    const [left, ...more] = await listSessions(world.auth, world.id)
    expect([left?.last_accessed_ip, more]).toEqual([home.ip, []])
    expect((await world.send('POST')).status).toBe(200)
    // No browser is known any more.
    await login(world, home)
    await deliver(world)
    expect(mailsOf(world)).toHaveLength(2)
  })

  it('also ends what began after that session, in its place, and again if it is used again', async () => {
    const world = await opened()
    const [stolen] = await listSessions(world.auth, world.id)
    await revokeSession(world.auth, stolen?.id ?? '')
    world.clock.advance(60_000)
    await login(world, away)
    await world.send('POST')
    const left = async () => {
      const all = await listSessions(world.auth, world.id)
      return all.map((one) => one.last_accessed_ip)
    }
    expect(await left()).toEqual([home.ip])
    await login(world, away)
    await world.send('POST')
    expect(await left()).toEqual([home.ip])
  })

  it('is of no use when it is changed, old, or on a page of another site', async () => {
    const world = await opened()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await world.send('POST', world.link.search, foreign)).status).toBe(403)
    for (const search of ['', '?code=x', world.link.search.slice(0, -1)]) {
      expect((await world.send('GET', search)).status).toBe(403)
      expect((await world.send('POST', search)).status).toBe(403)
    }
    world.clock.advance(week)
    expect((await world.send('POST')).status).toBe(403)
    expect(await listSessions(world.auth, world.id)).toHaveLength(2)
  })
})
