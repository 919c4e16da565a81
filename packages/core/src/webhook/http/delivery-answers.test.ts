import { describe, expect, it } from 'vitest'
import { createFixture, endAtOnce, type Fixture, until, webhookNamed } from '../service.fixture.ts'
import { createSender } from './routes.fixture.ts'

const headers = { 'content-type': 'application/json', authorization: 'Bearer t' }

const config = {
  webhooks: [
    webhookNamed('deploy', {
      response: 'text',
      response_headers: { 'Access-Control-Allow-Origin': '*' },
      rules: { source: 'data.ref', equals: 'main' },
      command_arguments: [{ source: 'data.image' }],
    }),
    webhookNamed('slow', { queue: 1 }),
  ],
}

function sendTo({
  webhooks,
}: Fixture): (
  id: string,
  body: object,
  given?: Readonly<Record<string, string>>,
) => Promise<Response> {
  const send = createSender(webhooks.routes)
  return (id, body, given = headers) => send({ path: `/webhook/${id}`, headers: given, body })
}

describe('every answer of a webhook', () => {
  const good = { ref: 'main', image: 'a' }
  it.each<[string, object, Readonly<Record<string, string>>, number]>([
    ['a run', good, headers, 200],
    ['skipped', { ref: 'dev' }, headers, 200],
    ['refused for an argument', { ref: 'main' }, headers, 422],
    ['refused for its token', good, { ...headers, authorization: 'Bearer x' }, 401],
    ['refused for its type', good, { ...headers, 'content-type': 'text/plain' }, 415],
  ])('has its headers: %s', async (_, body, given, status) => {
    const answer = await sendTo(createFixture({ config, script: endAtOnce }))('deploy', body, given)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      status,
      '*',
    ])
  })

  it('hides a webhook that must not be known', async () => {
    const hidden = createFixture({ config: { ...config, hide_ids: true }, script: endAtOnce })
    const answer = await sendTo(hidden)('deploy', good, { 'content-type': 'application/json' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, null])
  })

  it('is text if it wants text and was skipped', async () => {
    const answer = await sendTo(createFixture({ config }))('deploy', { ref: 'dev' })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe('the rules are not satisfied; nothing was run\n')
  })
})

describe('the log', () => {
  it('says what happened to a delivery, and no value of it', async () => {
    const fixture = createFixture({ config, script: endAtOnce })
    const send = sendTo(fixture)
    await send('deploy', { ref: 'v4lue' })
    await send('deploy', { ref: 'main', image: '-v4lue' })
    await send('deploy', { ref: 'main' }, { ...headers, authorization: 'Bearer v4lue' })
    const lines = fixture.lines.filter(({ message }) => message === 'request')
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      { status: 200, webhook: 'deploy', state: 'skipped' },
      {
        status: 422,
        webhook: 'deploy',
        code: 'argument_rejected',
        source: 'data.image',
        argument: 0,
      },
      { status: 401, code: 'invalid_token' },
    ])
    expect(JSON.stringify(fixture.lines)).not.toContain('v4lue')
    const { body } = await fixture.webhooks.metrics.expose(null)
    expect(String(body)).toContain('gatehouse_webhook_skipped_total{id="deploy"} 1')
  })

  it('warns once when a queue is full', async () => {
    let open = (): void => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const fixture = createFixture({
      config,
      script: (command) => void opened.then(() => command.end()),
    })
    const send = sendTo(fixture)
    let refused = 0
    const answers = Array.from({ length: 5 }, async () => {
      const { status } = await send('slow', {})
      if (status === 429) refused += 1
      return status
    })
    await until(() => refused === 3)
    const warnings = fixture.lines.filter(({ message }) => message.includes('the queue is full'))
    expect(warnings).toEqual([
      expect.objectContaining({
        level: 'warn',
        fields: expect.objectContaining({ webhook: 'slow' }),
      }),
    ])
    open()
    expect((await Promise.all(answers)).sort()).toEqual([200, 200, 429, 429, 429])
  })

  it('warns once when a queue is half full, before it refuses', async () => {
    const job = { ...webhookNamed('job'), queue: 10, mode: 'async' as const }
    const fixture = createFixture({ config: { webhooks: [job] } })
    const send = sendTo(fixture)
    const warned: number[] = []
    for (let waiting = 0; waiting <= 7; waiting++) {
      expect((await send('job', {})).status).toBe(202)
      warned.push(fixture.lines.filter(({ message }) => message.includes('half full')).length)
    }
    expect(warned).toEqual([0, 0, 0, 0, 0, 1, 1, 1])
  })
})
