import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storageUnavailable } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import { createWebhooks } from '../create-webhooks.ts'
import { createScriptedRunner, type ScriptedCommand } from '../scripted-runner.fixture.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

const mebibyte = 1024 * 1024

interface ServiceSettings {
  /** Settings of the webhook `deploy`. */
  readonly webhook?: object
  /** Settings of the service. */
  readonly config?: object
  readonly script?: (command: ScriptedCommand) => void
}

const succeed = (command: ScriptedCommand): void => command.end()

function configOf({ webhook, config }: ServiceSettings): object {
  const deploy = {
    id: 'deploy',
    token: 's3cret',
    execute_command: 'true',
    workdir: '',
    command_arguments: [{ name: '', source: 'data.v', on_missing: 'skip' }],
    ...webhook,
  }
  return { webhooks: [deploy], ...config }
}

/** The service with one webhook. By default its commands succeed at once. */
function createService(settings: ServiceSettings = {}) {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const runner = createScriptedRunner(settings.script ?? succeed)
  const environment = { PATH: process.env.PATH }
  const config = configOf(settings)
  const webhooks = createWebhooks({ storage, clock, config, runner, environment, workdir: '/' })
  onTestFinished(() => closeWebhooks(webhooks, { graceMs: 0 }))
  const send = createSender([...webhooks.routes, ...webhooks.fallbackRoutes])
  const post = (body: SentRequest['body'], headers: Record<string, string> = {}) =>
    send({ path: '/webhook', headers, ...(body === undefined ? {} : { body }) })
  /** Whether the whole body budget is free. */
  const holdsNothing = (): boolean => {
    const hold = webhooks.bodies.open()
    const hasRoom = hold.resize(64 * mebibyte)
    hold.release()
    return hasRoom
  }
  return { clock, webhooks, runner, send, post, holdsNothing }
}

const good = { id: 'deploy', token: 's3cret' }
const deploy = { id: 'deploy', token: 's3cret', auth: 'token' }
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const bearer = { authorization: 'Bearer s3cret' }
const never = (): void => {}

/** A body that begins with these members, and goes on once the test says so. */
function begun(members: object): { stream: ReadableStream<Uint8Array>; end(): Promise<void> } {
  const filler = `"data":{"x":"${'x'.repeat(40_000)}`
  const start = `${JSON.stringify(members).slice(0, -1)},${filler}`
  let goOn = (): void => {}
  const isWanted = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let finish = (): void => {}
  const hasEnded = new Promise<void>((resolve) => {
    finish = resolve
  })
  const pieces = [start, '"}}']
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece !== start) await isWanted
        if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
        finish()
      },
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    end() {
      goOn()
      return hasEnded
    },
  }
}

/** Runs everything that is due in this turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function read(response: Response): Promise<Record<string, unknown>> {
  return { status: response.status, ...Object(await response.json()) }
}

describe('every answer', () => {
  it('forbids caching, and has its exact length', async () => {
    const response = await createService().post(good)
    const text = await response.text()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': `${Buffer.byteLength(text)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has the id of the request if that is valid, else a new one', async () => {
    const { send } = createService()
    const idFor = async (id: string): Promise<string | null> => {
      const response = await send({ path: '/healthz', headers: { 'x-request-id': id } })
      return response.headers.get('x-request-id')
    }
    expect(await idFor('Az-09._')).toBe('Az-09._')
    for (const id of ['', 'a b', 'x'.repeat(65), '<script>', '"']) {
      expect(await idFor(id)).toMatch(/^[\da-f-]{36}$/)
    }
  })

  it('has the request id in the body of a refusal too', async () => {
    const response = await createService().post('{', { 'x-request-id': 'mine' })
    expect(await read(response)).toMatchObject({ code: 'invalid_json', request_id: 'mine' })
  })
})

describe('paths', () => {
  it.each([
    ['/webhook', 'POST'],
    ['/webhook/deploy', 'POST'],
    ['/hash', 'POST'],
    ['/runs', 'GET, HEAD'],
    ['/runs/run_0', 'GET, HEAD, DELETE'],
    ['/runs/run_0/output', 'GET, HEAD'],
    ['/healthz', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
  ])('%s accepts %s, and reports that to every other method', async (path, allow) => {
    const { send } = createService()
    for (const method of [
      'PUT',
      'PATCH',
      'OPTIONS',
      ...(allow === 'POST' ? ['GET', 'HEAD'] : []),
    ]) {
      for (const slash of ['', '/']) {
        const response = await send({ method, path: path + slash })
        expect([method, response.status, response.headers.get('allow')]).toEqual([
          method,
          405,
          allow,
        ])
      }
    }
  })

  it('may end with one slash, and are case-sensitive', async () => {
    const { send } = createService()
    const statusOf = async (path: string): Promise<number> => (await send({ path })).status
    expect(await statusOf('/healthz/')).toBe(200)
    for (const path of ['/healthz//', '/Healthz', '/', '/nothing', '/webhook/a/b', '/runs/a/b/c']) {
      expect([path, await statusOf(path)]).toEqual([path, 404])
    }
  })

  it('are below the base path, and the URL of a record is below the mount path', async () => {
    const { send } = createService({ config: { base_path: '/hooks' }, webhook: { mode: 'async' } })
    expect((await send({ path: '/healthz' })).status).toBe(404)
    const response = await send({ path: '/hooks/webhook', body: good, mountPath: '/app' })
    const { run_id, status_url } = await read(response)
    expect(status_url).toBe(`/app/hooks/runs/${run_id}`)
    expect(response.headers.get('location')).toBe(status_url)
  })

  it('answer HEAD as GET, without the body', async () => {
    const { send } = createService()
    const [get, head] = await Promise.all([
      send({ path: '/healthz' }),
      send({ path: '/healthz', method: 'HEAD' }),
    ])
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(`${(await get.text()).length}`)
  })

  it('that are disabled do not exist; a reload can disable them later', async () => {
    const off = createService({ config: { hash_endpoint: false } })
    expect(off.webhooks.routes.filter(({ path }) => /hash|metrics/.test(path))).toEqual([])
    const on = createService({ config: { metrics: true } })
    const hash = () => on.send({ path: '/hash', body: { message: '' } })
    const metrics = () => on.send({ path: '/metrics' })
    expect([(await hash()).status, (await metrics()).status]).toEqual([200, 200])
    updateWebhooksConfig(on.webhooks, configOf({ config: { hash_endpoint: false } }))
    expect([(await hash()).status, (await metrics()).status]).toEqual([404, 404])
  })

  it('are counted by status', async () => {
    const { post, send } = createService({ config: { metrics: true } })
    await post(good)
    await post({ ...good, token: 'wrong' })
    const text = await (await send({ path: '/metrics' })).text()
    expect(text).toContain('gatehouse_webhook_requests_total{code="200"} 1\n')
    expect(text).toContain('gatehouse_webhook_requests_total{code="401"} 1\n')
    expect(text).toContain('gatehouse_webhook_rejected_total{code="invalid_token"} 1\n')
  })
})

describe('a body that names the webhook', () => {
  it('is refused by its length before it is read, and closes the connection', async () => {
    const { post, holdsNothing } = createService()
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const response = await post(body, { 'content-length': `${4 * mebibyte + 1}` })
    expect([response.status, response.headers.get('connection'), pulled]).toEqual([413, 'close', 0])
    expect(holdsNothing()).toBe(true)
  })

  it('is refused when it grows over the limit', async () => {
    const { post, holdsNothing } = createService()
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(mebibyte)),
    })
    const response = await post(body)
    expect([response.status, response.headers.get('connection')]).toEqual([413, 'close'])
    expect(holdsNothing()).toBe(true)
  })

  it('that breaks off is refused and holds nothing', async () => {
    const { post, runner, holdsNothing } = createService()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    expect(await read(await post(body))).toMatchObject({ status: 400, code: 'invalid_request' })
    expect([holdsNothing(), runner.commands.length]).toEqual([true, 0])
  })

  it('shares a budget: others are asked to retry', async () => {
    const { webhooks, post } = createService()
    const others = webhooks.bodies.open()
    others.resize(64 * mebibyte)
    const refused = await post(good)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ code: 'overloaded' })
    others.release()
    expect((await post(good)).status).toBe(200)
  })

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-encoding': 'br' }],
  ])('has the type of JSON (%j)', async (headers) => {
    const { post } = createService({ webhook: { accept: ['json', 'form'] } })
    expect((await post(JSON.stringify(good), headers as Record<string, string>)).status).toBe(415)
  })

  it('holds nothing once it is answered, whatever the answer', async () => {
    const { post, holdsNothing } = createService()
    const bodies = [good, { ...good, token: 'x' }, { id: 'x', token: 'x' }, {}, '[]', '', '{"id":']
    for (const body of bodies) {
      await post(body)
      expect([body, holdsNothing()]).toEqual([body, true])
    }
  })

  it.each([
    ['a wrong token', { id: 'deploy', token: 'wrong' }, 401, 'invalid_token'],
    ['a token in another place', { x: [{}], token: 'wrong', id: 'deploy' }, 401, 'invalid_token'],
    ['an unknown webhook', { id: 'nope', token: 's3cret' }, 404, 'unknown_webhook'],
  ])('that is long and begins with %s is refused before it has arrived', async (...given) => {
    const [, start, status, code] = given
    const { post, webhooks, runner, holdsNothing } = createService()
    const rejected: unknown[] = []
    webhooks.events.on('request.rejected', (request) => rejected.push(request))
    const { stream, end } = begun(start)
    expect(await read(await post(stream))).toMatchObject({ status, code })
    expect(rejected).toMatchObject([{ webhook_id: start.id, code }])
    expect([holdsNothing(), runner.commands.length]).toEqual([true, 0])
    await end()
  })

  it.each([
    ['a right token', good],
    ['no token', { id: 'deploy' }],
    ['an empty token', { id: 'deploy', token: '' }],
    ['the id of a signed webhook', { id: 'signed', token: 'wrong' }],
  ])('that is long and begins with %s is read to its end', async (_, start) => {
    const signature = { scheme: 'github', secret: 'x' }
    const signed = { id: 'signed', token: 't', execute_command: 'true', workdir: '', signature }
    const { post } = createService({ config: { webhooks: [signed, { ...signed, ...deploy }] } })
    const { stream, end } = begun(start)
    const answer = post(stream)
    await end()
    const isWhole = JSON.stringify(start) === JSON.stringify(good)
    expect((await answer).status).toBe(isWhole ? 200 : start.id === 'signed' ? 401 : 400)
  })

  it('that is refused and goes on without end is canceled at the limit', async () => {
    const { post } = createService({ config: { limits: { max_body_bytes: 100_000 } } })
    const start = new TextEncoder().encode('{"id":"deploy","token":"wrong","data":{"x":"')
    let sent = 0
    let cancel = (): void => {}
    const canceled = new Promise<void>((resolve) => {
      cancel = resolve
    })
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? start : new Uint8Array(10_000).fill(0x78))
        sent += 10_000
      },
      cancel: () => cancel(),
    })
    expect((await post(endless)).status).toBe(401)
    await canceled
    expect(sent).toBeLessThan(200_000)
  })

  it('needs no token for a signed webhook, but everything else', async () => {
    const signature = { scheme: 'gitlab-token', secret: 'signed' }
    const { post } = createService({ webhook: { signature } })
    expect((await post({ id: 'deploy' }, { 'x-gitlab-token': 'signed' })).status).toBe(200)
    expect(await read(await post({ id: 'deploy' }))).toMatchObject({ code: 'invalid_signature' })
    expect(await read(await post({ id: 'other' }))).toMatchObject({ code: 'invalid_request' })
    expect(await read(await post({ ...good, data: 5 }))).toMatchObject({ code: 'invalid_request' })
  })

  it('gets no WWW-Authenticate', async () => {
    const response = await createService().post({ ...good, token: 'wrong' })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, null])
  })
})

describe('a path that names the webhook', () => {
  const unread = () => {
    const state = { pulled: 0 }
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          state.pulled++
          controller.enqueue(new TextEncoder().encode('{}'))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return { state, stream }
  }

  it.each([
    ['without a token', '/webhook/deploy', {}, 401, 'invalid_token'],
    ['with a wrong token', '/webhook/deploy', { authorization: 'Bearer no' }, 401, 'invalid_token'],
    ['of nobody', '/webhook/nope', bearer, 404, 'unknown_webhook'],
    ['that cannot be decoded', '/webhook/%ff', bearer, 404, 'unknown_webhook'],
  ])('%s is refused before the body is read', async (_, path, headers, status, code) => {
    const { send, holdsNothing } = createService()
    const { state, stream } = unread()
    const response = await send({ path, headers: headers as Record<string, string>, body: stream })
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
    expect(await read(response)).toMatchObject({ status, code })
    expect([state.pulled, holdsNothing()]).toEqual([0, true])
  })

  it('reveals nothing to a stranger with hidden ids', async () => {
    const { send } = createService({ config: { hide_ids: true } })
    const answerFor = async (id: string): Promise<unknown> => {
      const { request_id: _, ...answer } = await read(
        await send({ path: `/webhook/${id}`, body: {} }),
      )
      return answer
    }
    expect(await answerFor('nope')).toEqual(await answerFor('deploy'))
  })

  it('checks the address before anything else is revealed', async () => {
    const { send } = createService({ webhook: { allow_ips: ['198.51.100.0/24'] } })
    const from = async (address: string): Promise<number> =>
      (await send({ path: '/webhook/deploy', headers: bearer, body: {}, address })).status
    expect([await from('192.0.2.1'), await from('198.51.100.7')]).toEqual([403, 200])
  })

  it.each([
    [{ authorization: 'Bearer s3cret' }],
    [{ authorization: 'bearer s3cret' }],
    [{ 'x-webhook-token': 's3cret' }],
  ])('accepts the token of a header (%j)', async (headers) => {
    const { send } = createService()
    const sent = { path: '/webhook/deploy', headers: headers as Record<string, string>, body: '1' }
    expect((await send(sent)).status).toBe(200)
  })

  it('may be escaped, and end with a slash', async () => {
    const { send } = createService({ webhook: { id: 'grün/1' } })
    for (const path of ['/webhook/gr%C3%BCn%2F1', '/webhook/gr%C3%BCn%2f1/']) {
      expect((await send({ path, headers: bearer, body: '{}' })).status).toBe(200)
    }
  })

  it.each([
    ['{"v":"a"}', ['a']],
    ['{"v":1.0}', ['1.0']],
    ['{"v":{"b":[1, 2.50]}}', ['{"b":[1,2.50]}']],
    ['{"token":"x","id":"y"}', []],
    ['[1]', []],
    ['null', []],
    ['"v"', []],
  ])('treats %s as the data', async (body, args) => {
    const { runner, send } = createService()
    expect((await send({ path: '/webhook/deploy', headers: bearer, body })).status).toBe(200)
    expect(runner.commands[0]?.command.args).toEqual(args)
  })

  it('accepts a form if the webhook does', async () => {
    const { runner, send } = createService({ webhook: { accept: ['json', 'form'] } })
    const headers = { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = { path: '/webhook/deploy', headers }
    expect((await send({ ...sent, body: 'v=gr%C3%BCn+1&v=2' })).status).toBe(200)
    expect(runner.commands[0]?.command.args).toEqual(['grün 1'])
    expect((await send({ ...sent, body: 'v=%ff' })).status).toBe(400)
    const closed = createService()
    expect((await closed.send({ ...sent, body: 'v=1' })).status).toBe(415)
  })

  it('has its own limit for bodies', async () => {
    const { send } = createService({ webhook: { max_body_bytes: 10 } })
    const statusOf = async (body: string): Promise<number> =>
      (await send({ path: '/webhook/deploy', headers: bearer, body })).status
    expect([await statusOf('{"v":"12"}'), await statusOf('{"v":"123"}')]).toEqual([200, 413])
  })

  it.each([
    ['no type', {}],
    ['an empty type', { 'content-type': '' }],
    ['a length of 0', { 'content-length': '0' }],
    ['a length of 0 and a type it does not accept', { 'content-length': '0', ...formType }],
  ])('treats a request without a body that has %s as one without data', async (_, headers) => {
    const webhook = {
      command_arguments: [
        { name: 'data', source: 'data.v', default: 'none' },
        { name: 'body', source: 'body:', on_missing: 'name' },
      ],
      stdin: 'body',
    }
    const { send, runner } = createService({ webhook })
    const sent = { method: 'POST', path: '/webhook/deploy', headers: { ...bearer, ...headers } }
    expect((await send(sent)).status).toBe(200)
    expect(runner.commands[0]?.command).toMatchObject({
      args: ['data', 'none', 'body', ''],
      stdin: new Uint8Array(),
    })
  })

  it('reports the missing arguments of a request without a body', async () => {
    const { send } = createService({
      webhook: { command_arguments: [{ name: '', source: 'data.v' }] },
    })
    const response = await send({ method: 'POST', path: '/webhook/deploy', headers: bearer })
    expect(await read(response)).toMatchObject({ status: 422, code: 'argument_missing' })
  })

  it('needs an id in the path', async () => {
    const response = await createService().send({ method: 'POST', path: '/webhook' })
    expect(await read(response)).toMatchObject({ status: 400, code: 'invalid_json' })
  })
})

describe('an answer about a run', () => {
  it('waits until the command has ended', async () => {
    const { post, runner } = createService({ script: never, webhook: { include_output: true } })
    const answer = post(good)
    const command = await runner.started(1)
    await command.write('stdout', 'hello')
    command.end(3)
    expect(await read(await answer)).toMatchObject({
      status: 'failed',
      code: 'command_failed',
      error: 'exit status 3',
      exit_code: 3,
      stdout: 'hello',
      stderr: '',
    })
  })

  it.each([
    [{ mode: 'async' }, {}],
    [{}, { prefer: 'respond-async' }],
    [{ sync_wait: '10s' }, { prefer: 'wait=0' }],
  ])('comes at once if requested (%j, %j)', async (webhook, headers) => {
    const { post, runner } = createService({ script: never, webhook })
    const response = await post(good, headers as Record<string, string>)
    expect(response.status).toBe(202)
    expect(response.headers.get('preference-applied')).toBe(
      'prefer' in headers && headers.prefer === 'respond-async' ? 'respond-async' : null,
    )
    expect(await response.json()).toMatchObject({ id: 'deploy', status: 'running' })
    expect(runner.commands).toHaveLength(1)
  })

  it.each([
    [{ sync_wait: '10s' }, {}],
    [{ sync_wait: '60s' }, { prefer: 'wait=10' }],
    [{}, { prefer: 'respond-async, wait=10' }],
  ])('comes when the wait is over (%j, %j)', async (webhook, headers) => {
    const { clock, post, runner } = createService({ script: never, webhook })
    const answer = post(good, headers as Record<string, string>)
    await runner.started(1)
    await settled()
    let isAnswered = false
    void answer.then(() => {
      isAnswered = true
    })
    clock.advance(9_999)
    await settled()
    expect(isAnswered).toBe(false)
    clock.advance(1)
    expect((await answer).status).toBe(202)
  })

  it('reports a run that is queued', async () => {
    const { post, runner } = createService({ script: never, webhook: { mode: 'async' } })
    await post(good)
    expect(await read(await post(good))).toMatchObject({ status: 'queued' })
    expect(runner.commands).toHaveLength(1)
  })

  it('may have no body', async () => {
    const response = await createService({ webhook: { success_status: 204 } }).post(good)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('may be the output of the command', async () => {
    const script = (command: ScriptedCommand): void => {
      void command.write('stdout', 'grüße')
      command.end(2)
    }
    const headers = { 'Content-Type': 'text/csv', 'X-A': 'b' }
    const webhook = { response: 'text', response_headers: headers, exit_status_map: { 2: 503 } }
    const response = await createService({ script, webhook }).post(good)
    expect([response.status, await response.text()]).toEqual([503, 'grüße'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '7',
      'x-a': 'b',
      'x-exit-code': '2',
      'x-run-id': expect.stringMatching(/^run_/),
    })
  })

  it('is short if the rules are not satisfied', async () => {
    const rules = { source: 'data.ref', equals: 'main', mismatch_status: 202 }
    const { post, runner, holdsNothing } = createService({ webhook: { rules } })
    const response = await post({ ...good, data: { ref: 'other' } })
    expect([response.status, await response.json()]).toMatchObject([
      202,
      { id: 'deploy', status: 'skipped' },
    ])
    expect([runner.commands.length, holdsNothing()]).toEqual([0, true])
  })

  it('about a run that an earlier request made says so', async () => {
    const dedupe = { key: 'header:x-delivery' }
    const { post, runner } = createService({ script: never, webhook: { dedupe } })
    const headers = { 'x-delivery': '1' }
    const first = post(good, headers)
    const command = await runner.started(1)
    const second = post(good, headers)
    command.end()
    const [one, other] = [await read(await first), await read(await second)]
    expect(other).toEqual({ ...one, duplicate: true })
    expect(one).not.toHaveProperty('duplicate')
    expect(runner.commands).toHaveLength(1)
  })
})

describe('a client that disconnects', () => {
  const leave = async (on_disconnect: string) => {
    const service = createService({ script: never, webhook: { on_disconnect } })
    const client = new AbortController()
    const answer = service.send({ path: '/webhook', body: good, signal: client.signal })
    const command = await service.runner.started(1)
    client.abort()
    return { command, answer }
  }

  it('cancels its run if the webhook says so', async () => {
    const { command, answer } = await leave('cancel')
    expect(await read(await answer)).toMatchObject({ status: 'canceled', reason: 'disconnect' })
    expect(command.signals).toEqual(['SIGTERM'])
  })

  it('changes nothing else', async () => {
    const { command, answer } = await leave('continue')
    command.end()
    expect(await read(await answer)).toMatchObject({ status: 'succeeded' })
    expect(command.signals).toEqual([])
  })
})

describe('a path of another tool', () => {
  it.each([
    ['/hooks/deploy', '', '/webhook/{id}'],
    ['/webhooks/deploy', '', '/webhook/{id}'],
    ['/hooks/deploy', '/hooks', '/hooks/webhook/{id}'],
  ])('%s gets the path of webhooks', async (path, prefix, expected) => {
    const { send } = createService({ config: { base_path: prefix } })
    const response = await send({ path, body: good })
    expect(response.status).toBe(404)
    expect(await read(response)).toMatchObject({
      code: 'not_found',
      message: `not found; webhooks are at ${expected}`,
    })
    expect(await read(await send({ path: '/other', body: good }))).toMatchObject({
      message: 'not found',
    })
  })
})

describe('a service whose storage cannot be written', () => {
  it('is alive and not ready', async () => {
    const clock = createManualClock()
    const refuse = () => Promise.reject(storageUnavailable('the disk is full'))
    const storage = { ...createMemoryStorage({ clock }), commit: refuse }
    const webhooks = createWebhooks({ storage, clock, config: configOf({}), workdir: '/' })
    onTestFinished(() => closeWebhooks(webhooks, { graceMs: 0 }))
    const send = createSender([...webhooks.routes, ...webhooks.fallbackRoutes])
    expect((await send({ path: '/healthz' })).status).toBe(200)
    expect(await read(await send({ path: '/readyz' }))).toMatchObject({
      code: 'storage_unavailable',
      message: 'the disk is full',
    })
  })
})

describe('a stopping service', () => {
  it('refuses requests, and says when to try again', async () => {
    const { webhooks, post, send, holdsNothing } = createService()
    await closeWebhooks(webhooks)
    for (const sent of [
      { path: '/webhook', body: good },
      { path: '/webhook/deploy', headers: bearer, body: '{}' },
    ]) {
      const response = await send(sent)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await response.json()).toMatchObject({ code: 'shutting_down' })
    }
    expect((await send({ path: '/readyz' })).status).toBe(503)
    expect((await send({ path: '/healthz' })).status).toBe(200)
    expect((await post('{')).status).toBe(503)
    expect(holdsNothing()).toBe(true)
  })
})

describe('the hash of a message', () => {
  it('is returned to everybody, twice', async () => {
    const response = await createService().send({ path: '/hash', body: { message: 'abc' } })
    const hash = 'a9993e364706816aba3e25717850c26c9cd0d89d'
    expect(await response.json()).toEqual({ message: hash, hash, algorithm: 'sha1' })
  })

  it('needs a text', async () => {
    const { send, holdsNothing } = createService()
    for (const body of ['{}', '{"message":null}', '[]', '', '{"message":"a"']) {
      expect((await send({ path: '/hash', body })).status).toBe(400)
    }
    const headers = { 'content-type': 'text/plain' }
    expect((await send({ path: '/hash', body: '{}', headers })).status).toBe(415)
    expect(holdsNothing()).toBe(true)
  })
})
