import { describe, expect, it } from 'vitest'
import type { Logger } from '../../logger.ts'
import { createAuth } from '../create-auth.ts'
import { createUser } from '../people/create-user.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { startFlow, type TestAuth, testAuth } from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'
import { importMaya, logInMaya, password } from './hook.fixture.ts'

/** Writes the audit log. */
const written = ({ auth }: TestAuth) => startEvents(auth).stop()

const typesOf = async ({ auth }: TestAuth, query = {}) =>
  (await listAuthEvents(auth, query)).items.map(({ type }) => type)

describe('the audit log', () => {
  it('lists events by user, type and time, newest first', async () => {
    const world = testAuth()
    const id = await importMaya(world)
    world.clock.advance(1_000)
    const flow = await startFlow(world, 'login', { ip: '192.0.2.7', userAgent: 'a browser' })
    await flow.input({ identification: 'email', login_id: 'nobody@x.example' })
    await logInMaya(world)
    await written(world)
    expect(await typesOf(world)).toEqual([
      'user.authenticated',
      'authentication.identity.login_id.failed',
      'user.created',
    ])
    expect(await typesOf(world, { user_id: id })).toEqual(['user.authenticated', 'user.created'])
    expect(await typesOf(world, { type: ['user.created'] })).toEqual(['user.created'])
    expect(await typesOf(world, { user_id: id, type: ['user.authenticated'] })).toEqual([
      'user.authenticated',
    ])
    expect(await typesOf(world, { to: world.clock.now() })).toEqual(['user.created'])
    const first = await listAuthEvents(world.auth, { limit: 2 })
    expect(await typesOf(world, { after: first.next })).toEqual(['user.created'])
    const [failed] = (await listAuthEvents(world.auth, { limit: 2 })).items.slice(1)
    expect(failed).toEqual({
      id: expect.any(String),
      at: world.clock.now(),
      type: 'authentication.identity.login_id.failed',
      triggered_by: 'user',
      ip_address: '192.0.2.7',
      user_agent: 'a browser',
      authentication_flow: { type: 'login', name: 'default' },
      payload: { login_id_type: 'email', login_id: 'nobody@x.example' },
    })
  })

  it('holds no secret and no copy of the user', async () => {
    const world = testAuth()
    await importMaya(world)
    await logInMaya(world)
    await written(world)
    const { items } = await listAuthEvents(world.auth)
    expect(JSON.stringify(items)).not.toContain(password)
    expect(JSON.stringify(items)).not.toContain('$scrypt$')
    for (const { payload } of items) expect(payload).not.toHaveProperty('user')
  })

  it('is packed, and found after it', async () => {
    const world = testAuth()
    const ids: string[] = []
    for (let index = 0; index < 300; index++) {
      ids.push(await createUser(world.auth, { email: `u${index}@x.example` }))
    }
    await written(world)
    world.clock.advance(120_000)
    await world.auth.audit.pack(() => false)
    const blocks = await world.storage.find(
      { name: 'history_blocks', fields: {}, feed: false },
      { by: 'id', limit: 10 },
    )
    expect(blocks).toHaveLength(1)
    const [first = ''] = ids
    expect((await listAuthEvents(world.auth, { user_id: first })).items).toHaveLength(1)
    expect((await listAuthEvents(world.auth, { limit: 1_000 })).items).toHaveLength(300)
  })

  it('forgets events after their retention', async () => {
    const world = testAuth({}, { auditRetentionMs: 1_000 })
    await importMaya(world)
    await written(world)
    world.clock.advance(999)
    expect(await typesOf(world)).toEqual(['user.created'])
    world.clock.advance(1)
    expect(await typesOf(world)).toEqual([])
  })

  it('records nothing without a retention', async () => {
    const world = testAuth({}, { auditRetentionMs: 0 })
    await importMaya(world)
    await written(world)
    expect(await typesOf(world)).toEqual([])
  })

  it('records nothing of what was not committed', async () => {
    const world = testAuth()
    await importMaya(world)
    await expect(importMaya(world)).rejects.toThrow()
    await written(world)
    expect(await typesOf(world)).toEqual(['user.created'])
  })
})

describe('a process without startAuth()', () => {
  const lines: string[] = []
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (_fields, message) => lines.push(message),
    error() {},
  }

  it('logs once that its events are not delivered, and lists those before the start later', async () => {
    lines.length = 0
    const world = testAuth({}, { logger })
    await createUser(world.auth, { email: 'a@x.example' })
    await createUser(world.auth, { email: 'b@x.example' })
    expect(lines).toEqual([expect.stringContaining('startAuth(auth) was not called')])
    await written(world)
    await createUser(world.auth, { email: 'c@x.example' })
    await written(world)
    expect(lines).toHaveLength(1)
    expect(await typesOf(world)).toEqual(['user.created', 'user.created', 'user.created'])
  })

  it('logs nothing if nobody listens and nothing is recorded', async () => {
    lines.length = 0
    const { storage, outbox } = testAuth()
    const config = { id: 'test', http: { public_origin: 'https://auth.example.com' } }
    const secrets = [{ id: 'k1', key: new Uint8Array(32) }]
    const { senders } = outbox
    const auth = createAuth({ storage, config, secrets, senders, logger, auditRetentionMs: 0 })
    await createUser(auth, { email: 'a@x.example' })
    expect(lines).toEqual([])
  })
})
