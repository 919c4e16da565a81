import { describe, expect, it } from 'vitest'
import {
  createWebhooksClient,
  isClientError,
  type RunEvent,
  type WebhooksClient,
} from '../src/index.ts'
import { adminToken, useServer, webhookToken } from './server.fixture.ts'

const server = useServer()
const open = (token = webhookToken): WebhooksClient =>
  createWebhooksClient({ url: `${server.url}/hooks`, token })

async function collect(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('the client of the webhook service', () => {
  it('runs a webhook and returns its result', async () => {
    const result = await open().run('say', { name: 'Maya' })
    expect(result).toMatchObject({
      id: 'say',
      status: 'succeeded',
      exit_code: 0,
      stdout: 'hello\n',
    })
  })

  it('returns the text of a webhook that answers with text', async () => {
    expect(await open().run('text')).toMatchObject({ id: 'text', exit_code: 0, stdout: 'plain\n' })
  })

  it('reports a command that fails, with its output', async () => {
    const error = await open()
      .run('fail')
      .catch((failure: unknown) => failure)
    if (!isClientError(error, 'command_failed')) throw error
    expect(error.body).toMatchObject({ exit_code: 3, stderr: 'no\n' })
  })

  it('reports a wrong token', async () => {
    const error = await open('wrong')
      .run('say')
      .catch((failure: unknown) => failure)
    expect(isClientError(error, 'invalid_token') && error.status).toBe(401)
  })

  it('streams the output of a run, and follows one that has ended', async () => {
    const events = await collect(open().stream('say'))
    const end = events.at(-1)
    expect(events.filter(({ type }) => type === 'stdout')).toEqual([
      { type: 'stdout', text: 'hello\n' },
    ])
    if (end?.type !== 'end') throw new Error(end?.type)
    expect(end.run.status).toBe('succeeded')
    const again = await collect(open().follow(end.run.run_id))
    expect(again.at(-1)).toMatchObject({ type: 'end', run: { run_id: end.run.run_id } })
    expect(again).toContainEqual({ type: 'stdout', text: 'hello\n' })
    expect(await open().output(end.run.run_id, { stream: 'stdout' })).toBe('hello\n')
  })

  it('lists webhooks with what the sender may do', async () => {
    const { webhooks, reads_all } = await open().list()
    expect(reads_all).toBe(false)
    expect(webhooks.map(({ id }) => id)).toEqual(['say', 'fail', 'text', 'wait', 'greet'])
    expect(webhooks[0]?.actions).toContain('webhooks:run')
    expect(await open(adminToken).list()).toMatchObject({ reads_all: true })
  })

  it('sends values in the address, and reads runs without their output', async () => {
    const result = await open().run('greet', undefined, { query: { name: 'Maya' } })
    expect(result).toMatchObject({ stdout: 'hello Maya\n' })
    const { runs } = await open().runs({ id: 'greet', output: false })
    expect(runs).toMatchObject([{ id: 'greet', stdout: '', stdout_bytes: 11 }])
    const id = runs[0]?.run_id ?? ''
    expect((await open().getRun(id, { output: false })).stdout).toBe('')
    expect((await open().getRun(id)).stdout).toBe('hello Maya\n')
  })

  it('follows the changes of runs', async () => {
    const changes = open(adminToken).changes({ id: 'say' })
    expect((await changes.next()).value).toEqual({ type: 'reset', data: {} })
    await open()
      .run('fail')
      .catch(() => {})
    const { run_id } = Object(await open().run('say'))
    for await (const { type, data } of changes) {
      if (type !== 'run') throw new Error(type)
      expect(data).toMatchObject({ run_id, id: 'say' })
      expect(data).not.toHaveProperty('stdout')
      if (data.status === 'succeeded') break
    }
    await expect(open('wrong').changes().next()).rejects.toMatchObject({ reason: 'invalid_token' })
  })

  it('tests a delivery, and lists refused ones', async () => {
    const headers = { 'content-type': 'application/json' }
    const tested = await open().test({ id: 'say', body: '{}', headers })
    expect(tested.checks.map(({ check }) => check)).toContain('sender')
    expect(tested).toMatchObject({ runs: true, command: { argv: expect.any(Array) } })
    await open('wrong')
      .run('say')
      .catch(() => {})
    const { refusals } = await open().refusals('say')
    expect(refusals[0]).toMatchObject({ code: 'invalid_token' })
  })

  it('lists, reads and cancels runs', async () => {
    const webhooks = open()
    const started = await webhooks.run('wait')
    if (!('run_id' in started)) throw new Error(started.status)
    const following = collect(webhooks.follow(started.run_id))
    const admin = open(adminToken)
    const { runs } = await admin.runs({ id: 'wait', limit: 1 })
    expect(runs.map(({ run_id }) => run_id)).toEqual([started.run_id])
    expect((await webhooks.cancel(started.run_id)).run_id).toBe(started.run_id)
    expect((await following).at(-1)).toMatchObject({ type: 'end', run: { status: 'canceled' } })
    expect((await webhooks.getRun(started.run_id)).reason).toBe('canceled')
    const again = await webhooks.cancel(started.run_id).catch((failure: unknown) => failure)
    expect(isClientError(again, 'run_finished')).toBe(true)
  })
})
