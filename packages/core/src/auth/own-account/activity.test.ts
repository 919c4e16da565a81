import { describe, expect, it } from 'vitest'
import { createRouteClient } from '../http/routes.fixture.ts'
import { addAuthenticator } from '../people/add-authenticator.ts'
import { addRecoveryCodes } from '../people/add-recovery-codes.ts'
import { setPassword } from '../people/set-password.ts'
import { type ConfigDelta, startFlow, type TestAuth, testAuth } from '../service.fixture.ts'
import { maya, type Person, signedIn, tom } from './account.fixture.ts'
import { accountRoutes } from './account-routes.ts'
import { exportAccount } from './export-account.ts'
import { listActivity } from './list-activity.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

/** Someone fails to log in. */
async function failToLogIn(world: TestAuth, email: string, userAgent: string): Promise<void> {
  const flow = await startFlow(world, 'login', { ip: '198.51.100.4', userAgent })
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password: 'not it' })
}

describe('the activity of an account', () => {
  it('has its own events with device and place, and no others', async () => {
    const world = testAuth({}, { geoIp: () => 'NO' })
    const person = await signedIn(world)
    await signedIn(world, tom)
    await failToLogIn(world, tom.email, firefox)
    world.clock.advance(1_000)
    await failToLogIn(world, maya.email, firefox)
    world.clock.advance(1_000)
    await failToLogIn(world, maya.email, 'Call +47 555 0100 now')
    world.clock.advance(1_000)
    await setPassword(world.auth, person.id, 'copper-meadow-7')
    await world.auth.audit.write()
    const { items, next } = await listActivity(world.auth, person.session)
    expect(next).toBeUndefined()
    const failed = { type: 'authentication.primary.password.failed', triggered_by: 'user' }
    const from = { ip_address: '198.51.100.4', geo_location_code: 'NO' }
    expect(items.map(({ id: _id, at: _at, ...rest }) => rest)).toEqual([
      { type: 'password.primary.changed', triggered_by: 'admin_api' },
      { ...failed, ...from },
      { ...failed, ...from, device: 'Firefox on Linux' },
      { type: 'user.authenticated', triggered_by: 'admin_api' },
      { type: 'user.created', triggered_by: 'admin_api' },
    ])
  })

  it('comes in pages', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    await world.auth.audit.write()
    const first = await listActivity(world.auth, person.session, { limit: 1 })
    const second = await listActivity(world.auth, person.session, {
      limit: 1,
      ...(first.next === undefined ? {} : { after: first.next }),
    })
    const types = [...first.items, ...second.items].map(({ type }) => type)
    expect(types).toEqual(['user.authenticated', 'user.created'])
    for (const query of [{ limit: 0 }, { limit: 1_001 }, { after: 'x' }]) {
      await expect(listActivity(world.auth, person.session, query)).rejects.toMatchObject({
        reason: 'InvalidHistoryQuery',
      })
    }
  })
})

describe('the export of an account', () => {
  it('has everything the user may see, and no secret', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    await addAuthenticator(world.auth, person.id, { type: 'totp', secret, display_name: 'phone' })
    const codes = await addRecoveryCodes(world.auth, person.id)
    await world.auth.audit.write()
    const data = await exportAccount(world.auth, person.session)
    expect(data).toMatchObject({
      exported_at: world.clock.now(),
      user: { id: person.id, standard_attributes: { email: maya.email } },
      identities: [{ email: maya.email }],
      authenticators: [{ type: 'password' }, { type: 'totp', display_name: 'phone' }],
      sessions: [{ id: person.session.id }],
    })
    expect(data.activity.map(({ type }) => type)).toContain('user.created')
    const text = JSON.stringify(data)
    for (const hidden of ['hash', 'sealed', secret, 'unique_key', maya.password, ...codes]) {
      expect(text).not.toContain(hidden)
    }
  })
})

describe('over HTTP', () => {
  const base = '/api/v1/account'
  const delta: ConfigDelta = { account_deletion: { scheduled_by_end_user_enabled: true } }

  async function house() {
    const world = testAuth(delta)
    const routes = [...world.auth.routes, ...accountRoutes(world.auth)]
    const client = createRouteClient({ ...world.auth, routes })
    const person = await signedIn(world)
    await world.auth.audit.write()
    const send = (method: string, path: string, { request }: Person = person) =>
      client.send(`${base}${path}`, {
        method,
        headers: { cookie: request.cookie, origin: 'https://auth.example.com' },
      })
    return { ...world, person, send }
  }

  it('activity and export are JSON with instants as text', async () => {
    const { send } = await house()
    const page = (await (await send('GET', '/activity?limit=1')).json()) as {
      result: { items: readonly { type: string; at: string }[]; next: string }
    }
    const [event] = page.result.items
    expect(event).toMatchObject({ type: 'user.authenticated', at: '2026-03-04T10:00:01.000Z' })
    const rest = await send('GET', `/activity?after=${page.result.next}`)
    expect(await rest.json()).toMatchObject({ result: { items: [{ type: 'user.created' }] } })
    const refused = await send('GET', '/activity?limit=many')
    expect(refused.status).toBe(400)
    const exported = await send('GET', '/export')
    expect(exported.headers.get('cache-control')).toBe('no-store')
    expect(await exported.json()).toMatchObject({
      result: { exported_at: '2026-03-04T10:00:01.000Z', activity: [event, {}] },
    })
  })

  it('a deletion says when, and clears the cookies', async () => {
    const { send } = await house()
    const answer = await send('POST', '/deletion')
    expect(await answer.json()).toEqual({ result: { delete_at: '2026-04-03T10:00:01.000Z' } })
    expect(answer.headers.get('set-cookie')).toMatch(/^session=;/)
    for (const path of ['/activity', '/export', '']) {
      expect((await send('GET', path)).status).toBe(401)
    }
  })
})
