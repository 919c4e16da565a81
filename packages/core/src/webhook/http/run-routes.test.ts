import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import type { WebhookDefinition } from '../config/written/webhooks-config.generated.ts'
import { createWebhooks } from '../create-webhooks.ts'
import { createScriptedRunner } from '../scripted-runner.fixture.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { createSender } from './routes.fixture.ts'

const webhook = (id: string, settings: object = {}): WebhookDefinition => ({
  id,
  token: `token-of-${id}`,
  execute_command: 'true',
  workdir: '',
  mode: 'async',
  concurrency: 0,
  ...settings,
})

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

const admin = bearer('admin-token')
const owner = bearer('token-of-a')

/** The service with the webhooks `a` and `b`, whose commands a test controls. */
function createService(config: object = { admin: { token: 'admin-token' } }) {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const runner = createScriptedRunner()
  const webhooks = createWebhooks({
    storage,
    clock,
    runner,
    config: { webhooks: [webhook('a'), webhook('b')], ...config },
    environment: { PATH: process.env.PATH },
    workdir: '/',
  })
  onTestFinished(() => closeWebhooks(webhooks, { graceMs: 0 }))
  const send = createSender([...webhooks.routes, ...webhooks.fallbackRoutes])
  const get = (path: string, headers: Record<string, string> = {}) => send({ path, headers })
  /** Starts a run and returns its id. */
  const start = async (id: string): Promise<string> => {
    const body = { id, token: `token-of-${id}` }
    const { run_id } = Object(await (await send({ path: '/webhook', body })).json())
    clock.advance(1)
    return String(run_id)
  }
  /** Starts a run, and waits until it has ended with this code. */
  const finish = async (id: string, exitCode = 0, output = ''): Promise<string> => {
    const ended = new Promise<void>((resolve) => {
      const stop = webhooks.events.on('run.finished', () => {
        stop()
        resolve()
      })
    })
    const run_id = await start(id)
    const command = await runner.started(runner.commands.length)
    if (output !== '') await command.write('stdout', output)
    await command.write('stderr', 'err')
    command.end(exitCode)
    await ended
    return run_id
  }
  return { clock, webhooks, runner, send, get, start, finish }
}

const idsOf = (page: unknown): unknown =>
  Object(page).runs.map(({ run_id }: { readonly run_id: string }) => run_id)

describe('the stream of runs', () => {
  it('ends after ten minutes, so that a replaced token does not keep it open', async () => {
    const { clock, get, webhooks } = createService()
    const stream = (await get('/runs/changes?id=a', owner)).text()
    updateWebhooksConfig(webhooks, { webhooks: [webhook('a', { token: 'another-token' })] })
    for (let seconds = 0; seconds < 615; seconds++) {
      clock.advance(1_000)
      await new Promise(setImmediate)
    }
    expect(await stream).toMatch(/event: end\ndata: {"reason":"renew"}\n\n$/)
    expect((await get('/runs/changes?id=a', owner)).status).toBe(401)
  })
})

describe('the record of a run', () => {
  it('has all its facts, with times as text', async () => {
    const { finish, get } = createService()
    const run_id = await finish('a', 3, 'out')
    const response = await get(`/runs/${run_id}`, owner)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      run_id,
      id: 'a',
      status: 'failed',
      reason: 'exit_code',
      exit_code: 3,
      signal: null,
      attempts: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: '2026-01-01T00:00:00.000Z',
      finished_at: '2026-01-01T00:00:00.001Z',
      queued_ms: 0,
      duration_ms: 1,
      client_ip: '192.0.2.1',
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      stdout: 'out',
      stderr: 'err',
      stdout_bytes: 3,
      stderr_bytes: 3,
      stdout_truncated: false,
      stderr_truncated: false,
    })
  })

  it('reports its progress', async () => {
    const { get, runner, start } = createService()
    const run_id = await start('a')
    await (await runner.started(1)).write('stdout', 'so far')
    expect(await (await get(`/runs/${run_id}`, owner)).json()).toMatchObject({
      status: 'running',
      exit_code: null,
      finished_at: null,
      stdout: 'so far',
    })
  })

  it.each([
    ['nobody', {}, 401],
    ['a stranger', bearer('wrong'), 401],
    ['another webhook', bearer('token-of-b'), 401],
    ['its webhook', owner, 200],
    [
      'its webhook, by the SHA-1 of its token',
      bearer('7df16be2dc84209d2627e721fe7d8ad50bde85e8'),
      200,
    ],
    ['the administrator', admin, 200],
  ])('is shown to %s as %j: %i', async (_, headers, status) => {
    const { finish, get } = createService()
    const run_id = await finish('a')
    for (const path of [`/runs/${run_id}`, `/runs/${run_id}/output`]) {
      const response = await get(path, headers as Record<string, string>)
      expect(response.status).toBe(status)
      expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
    }
  })

  it('of a removed webhook is only for the administrator', async () => {
    const { finish, get, webhooks } = createService()
    const run_id = await finish('a')
    updateWebhooksConfig(webhooks, { admin: { token: 'admin-token' }, webhooks: [webhook('b')] })
    expect((await get(`/runs/${run_id}`, owner)).status).toBe(401)
    expect((await get(`/runs/${run_id}`, admin)).status).toBe(200)
  })

  it('that does not exist is unknown, with any token', async () => {
    const { get } = createService()
    for (const path of ['/runs/run_0', '/runs/run_0/output', `/runs/run_${'0'.repeat(26)}`]) {
      expect((await get(path)).status).toBe(401)
      const response = await get(path, owner)
      expect([response.status, Object(await response.json()).code]).toEqual([404, 'unknown_run'])
    }
  })
})

describe('the list of runs', () => {
  it('is for the administrator, and for nobody without one', async () => {
    const { get } = createService()
    for (const headers of [{}, owner]) {
      const response = await get('/runs', headers)
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
    expect((await createService({}).get('/runs', admin)).status).toBe(401)
    expect(await (await get('/runs', admin)).json()).toEqual({ runs: [], next: null })
  })

  it('of one webhook is also for its token', async () => {
    const { finish, get } = createService()
    const run_id = await finish('a')
    await finish('b')
    const page = await get('/runs?id=a', owner)
    expect(idsOf(await page.json())).toEqual([run_id])
    for (const query of ['', '?id=b', '?id=', '?id=unknown', '?id=b&id=a', '?status=x']) {
      expect((await get(`/runs${query}`, owner)).status).toBe(401)
    }
    expect((await get('/runs?id=a&limit=0', owner)).status).toBe(400)
  })

  it('leaves out the outputs on request, as one run does', async () => {
    const { finish, get, runner, start } = createService()
    const run_id = await finish('a', 0, 'out')
    const going = await start('b')
    await (await runner.started(2)).write('stdout', 'so far')
    const { runs } = Object(await (await get('/runs?output=0', admin)).json())
    expect(runs).toMatchObject([
      { run_id: going, stdout: '', stdout_bytes: 6 },
      { run_id, stdout: '', stderr: '', stdout_bytes: 3 },
    ])
    for (const id of [run_id, going]) {
      const run = Object(await (await get(`/runs/${id}?output=0`, admin)).json())
      expect(run).toMatchObject({ run_id: id, stdout: '', stderr: '' })
    }
    expect((await get(`/runs/${run_id}?output=no`, admin)).status).toBe(400)
    const whole = Object(await (await get(`/runs/${run_id}?output=1`, admin)).json())
    expect(whole.stdout).toBe('out')
  })

  it('is sorted from newest to oldest, in pages', async () => {
    const { finish, get } = createService()
    const made = [await finish('a'), await finish('b'), await finish('a', 1)]
    const [first, second, third] = made
    const list = async (query: string): Promise<unknown> =>
      (await get(`/runs?${query}`, admin)).json()
    expect(idsOf(await list(''))).toEqual([third, second, first])
    const page = Object(await list('limit=2'))
    expect([idsOf(page), page.next]).toEqual([[third, second], second])
    expect(await list(`limit=2&before=${page.next}`)).toMatchObject({
      runs: [{ run_id: first, created_at: '2026-01-01T00:00:00.000Z' }],
      next: null,
    })
    expect(idsOf(await list('id=a'))).toEqual([third, first])
    expect(idsOf(await list('status=failed'))).toEqual([third])
    expect(idsOf(await list('id=b&status=failed'))).toEqual([])
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['status=done', 'status'],
    ['before=yesterday', 'before'],
  ])('refuses %s', async (query, path) => {
    const response = await createService().get(`/runs?${query}`, admin)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_request', fields: [{ path }] })
  })
})

describe('the output of a run', () => {
  it('is the kept part of its streams', async () => {
    const { finish, get } = createService()
    const run_id = await finish('a', 0, 'out')
    const read = async (query: string): Promise<string> =>
      (await get(`/runs/${run_id}/output${query}`, owner)).text()
    expect(await read('')).toBe('outerr')
    expect(await read('?stream=stdout')).toBe('out')
    expect(await read('?stream=stderr&follow=1')).toBe('err')
    expect((await get(`/runs/${run_id}/output?stream=stdin`, owner)).status).toBe(400)
    expect((await get(`/runs/${run_id}/output?follow=yes`, owner)).status).toBe(400)
  })

  it('can be followed until its end, as text and as events', async () => {
    const { get, runner, start } = createService()
    const run_id = await start('a')
    const command = await runner.started(1)
    await command.write('stdout', 'one ')
    const follow = (headers: Record<string, string>) =>
      get(`/runs/${run_id}/output?stream=stdout&follow=1`, { ...owner, ...headers })
    const text = await follow({})
    const events = await follow({ accept: 'text/event-stream' })
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(events.headers.get('content-type')).toBe('text/event-stream')
    await command.write('stderr', 'not this')
    await command.write('stdout', 'two')
    command.end()
    expect(await text.text()).toBe('one two')
    const read = await events.text()
    expect(read.match(/^(event|data): .*$/gm)).toMatchObject([
      'event: start',
      expect.stringContaining('"status":"running"'),
      'event: stdout',
      'data: {"text":"one "}',
      'event: stdout',
      'data: {"text":"two"}',
      'event: end',
      expect.stringContaining('"status":"succeeded"'),
    ])
  })

  it('is not followed by a HEAD', async () => {
    const { send, start } = createService()
    const path = `/runs/${await start('a')}/output?follow=1`
    const response = await send({ method: 'HEAD', path, headers: owner })
    expect([response.status, response.body]).toEqual([200, null])
  })
})

describe('canceling a run', () => {
  const remove = (service: ReturnType<typeof createService>, run_id: string, headers = owner) =>
    service.send({ method: 'DELETE', path: `/runs/${run_id}`, headers })

  it('is accepted, and happens', async () => {
    const service = createService()
    const run_id = await service.start('a')
    const command = await service.runner.started(1)
    const ended = new Promise((resolve) => service.webhooks.events.on('run.finished', resolve))
    const response = await remove(service, run_id)
    expect([response.status, await response.json()]).toMatchObject([202, { run_id, id: 'a' }])
    expect(command.signals).toEqual(['SIGTERM'])
    await ended
    const record = await service.get(`/runs/${run_id}`, owner)
    expect(await record.json()).toMatchObject({ status: 'canceled', reason: 'canceled' })
    const again = await remove(service, run_id)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ code: 'run_finished', status: 'canceled' })
  })

  it('is refused to strangers', async () => {
    const service = createService()
    const run_id = await service.start('a')
    for (const headers of [{}, bearer('wrong'), bearer('token-of-b')]) {
      expect((await remove(service, run_id, headers as typeof owner)).status).toBe(401)
    }
    expect((await service.runner.started(1)).signals).toEqual([])
    expect((await remove(service, run_id, admin)).status).toBe(202)
  })
})
