import { describe, expect, it } from 'vitest'
import { listRuns } from '../list-runs.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

const token = 'a-token-that-is-long'

function createService(settings: object, service: object = {}) {
  const reading = { command_arguments: [{ source: 'data.v', format: 'value', on_missing: 'skip' }] }
  const webhook = webhookNamed('job', { token, stdin: 'data', ...reading, ...settings })
  const config = { webhooks: [webhook], ...service }
  const fixture = createFixture({ config, script: endAtOnce })
  const send = createSender([...fixture.webhooks.routes, ...fixture.webhooks.fallbackRoutes])
  const statusOf = async (sent: Omit<SentRequest, 'path'> & { readonly query?: string }) => {
    const { query = '', ...rest } = sent
    return (await send({ method: 'POST', path: `/webhook/job${query}`, ...rest })).status
  }
  return { ...fixture, send, statusOf }
}

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`

describe('a token in a header', () => {
  it('admits, beside the usual headers', async () => {
    const { statusOf } = createService({ token_in: { header: 'X-Gitlab-Token' } })
    expect(await statusOf({ headers: { 'x-gitlab-token': token } })).toBe(200)
    expect(await statusOf({ headers: { authorization: `Bearer ${token}` } })).toBe(200)
    expect(await statusOf({ headers: { 'x-webhook-token': token, 'x-gitlab-token': '' } })).toBe(
      200,
    )
    for (const wrong of ['', 'x', `${token} `.repeat(2), `${token}, ${token}`]) {
      expect(await statusOf({ headers: { 'x-gitlab-token': wrong } })).toBe(401)
    }
    expect(await statusOf({ headers: { 'x-other': token } })).toBe(401)
    expect(await statusOf({ query: `?x-gitlab-token=${token}` })).toBe(401)
  })

  it('admits nobody to a webhook without that place', async () => {
    const { statusOf } = createService({})
    expect(await statusOf({ headers: { 'x-gitlab-token': token } })).toBe(401)
    expect(await statusOf({ headers: { authorization: basic(`u:${token}`) } })).toBe(401)
    expect(await statusOf({ query: `?token=${token}` })).toBe(401)
  })
})

describe('a token in the query', () => {
  const place = { token_in: { query: 'token' } }

  it('admits, however it is escaped', async () => {
    const { statusOf } = createService(place)
    for (const query of [`?token=${token}`, `?a=1&to%6ben=${token}`, `?token=${token}&token=x`]) {
      expect(await statusOf({ query })).toBe(200)
    }
    for (const query of ['', '?token', '?token=', '?token=x', `?token=x&token=${token}`]) {
      expect(await statusOf({ query })).toBe(401)
    }
    expect(await statusOf({ query: `?Token=${token}` })).toBe(401)
  })

  it('is in no data, log line, record, metric, event or answer', async () => {
    const settings = { ...place, methods: ['GET', 'POST'], include_output: 'always', path: '/x' }
    const config = { history: { argv: true }, admin: { token: 'an-admin-token-that-is-long' } }
    const { webhooks, send, lines, runner } = createService(settings, config)
    const events: unknown[] = []
    for (const name of ['run.queued', 'run.finished', 'request.rejected'] as const) {
      webhooks.events.on(name, (event: unknown) => void events.push(event))
    }
    const seen: string[] = []
    const query = `v=1&token=${token}&tok%65n=${token}&w=2`
    for (const sent of [
      { path: `/x?${query}` },
      { path: `/webhook/job?${query}`, body: { v: 'a' } },
      { path: `/webhook/job/?v=--x&${query}` },
      { path: `/webhook/nobody?${query}` },
      { path: `/x?${query}&u=%ff` },
      { path: `/x?${query}`, method: 'PUT' },
      { path: `/nowhere?${query}` },
      { path: `/webhook?${query}`, body: { id: 'job' } },
    ]) {
      const response = await send(sent)
      seen.push(await response.text(), JSON.stringify([...response.headers]))
    }
    const admin = { authorization: 'Bearer an-admin-token-that-is-long' }
    seen.push(await (await send({ path: '/runs', headers: admin })).text())
    seen.push((await webhooks.metrics.expose(null)).body)
    const inputs = runner.commands.map(({ command }) => [
      command.args,
      Buffer.from(command.stdin ?? []).toString(),
    ])
    expect(inputs).toEqual([
      [['1'], '{"v":"1","w":"2"}'],
      [['a'], '{"v":"a"}'],
    ])
    const all = JSON.stringify([seen, lines, events, inputs, (await listRuns(webhooks)).runs])
    expect(all).not.toContain(token)
    expect(lines.length).toBeGreaterThan(8)
  })
})

describe('a token as a password', () => {
  const place = { token_in: { basic: true } }

  it('admits, with any user', async () => {
    const { statusOf } = createService(place)
    for (const user of ['', 'docker-hub', 'ä']) {
      expect(await statusOf({ headers: { authorization: basic(`${user}:${token}`) } })).toBe(200)
    }
    for (const wrong of [`${token}:`, token, `u:${token}:`, 'u:', ':']) {
      expect(await statusOf({ headers: { authorization: basic(wrong) } })).toBe(401)
    }
    for (const authorization of ['Basic', 'Basic !', `Basic ${token}`, `basic u:${token}`]) {
      expect(await statusOf({ headers: { authorization } })).toBe(401)
    }
  })

  it('is asked for, unless ids are hidden', async () => {
    const asked = async (service: object) =>
      (
        await createService(place, service).send({ method: 'POST', path: '/webhook/job' })
      ).headers.get('www-authenticate')
    expect(await asked({})).toMatch(/^Basic realm=/)
    expect(await asked({ hide_ids: true })).toBe('Bearer')
  })

  it('is no proof on a page of another site, whose requests a browser adds it to', async () => {
    const { statusOf } = createService({ ...place, methods: ['GET', 'POST'] })
    const authorization = basic(`u:${token}`)
    for (const method of ['GET', 'POST']) {
      for (const more of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        expect(await statusOf({ method, headers: { authorization, ...more } })).toBe(401)
      }
    }
    expect(await statusOf({ headers: { authorization, 'sec-fetch-site': 'none' } })).toBe(200)
  })
})
