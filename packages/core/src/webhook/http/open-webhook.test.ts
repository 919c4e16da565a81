import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runWebhook } from '../run-webhook.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { createSender, type SentRequest } from './routes.fixture.ts'

const admin = { authorization: 'Bearer an-admin-token-that-is-long' }

function createService(settings: object) {
  const { token: _, ...webhook } = webhookNamed('job', { auth: 'none', ...settings })
  const config = {
    webhooks: [webhook, webhookNamed('other')],
    admin: { token: 'an-admin-token-that-is-long' },
  }
  const fixture = createFixture({ config, script: endAtOnce })
  const sender = createSender([...fixture.webhooks.routes, ...fixture.webhooks.fallbackRoutes])
  const send = async (sent: SentRequest) => {
    const response = await sender(sent)
    return { status: response.status, body: Object(await response.json()) }
  }
  return { ...fixture, send }
}

const byPath = { path: '/webhook/job', body: {} }
const byBody = { path: '/webhook', body: { id: 'job' } }

describe('a webhook without a token', () => {
  it('is run by any sender if it is public, also from other sites', async () => {
    const { send, webhooks } = createService({ public: true, methods: ['GET', 'POST'] })
    const headers = { origin: 'https://other.example' }
    for (const sent of [byPath, byBody, { path: '/webhook/job' }, { ...byPath, headers }]) {
      expect(await send(sent)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    }
    expect(await runWebhook(webhooks, { id: 'job' })).toMatchObject({ status: 'succeeded' })
  })

  it('is run only from its addresses', async () => {
    const { send, runner } = createService({ allow_ips: ['198.51.100.0/24'] })
    for (const sent of [byPath, byBody]) {
      expect(await send({ ...sent, address: '198.51.100.7' })).toMatchObject({ status: 200 })
      expect(await send(sent)).toMatchObject({ status: 403, body: { code: 'address_not_allowed' } })
    }
    expect(runner.commands).toHaveLength(2)
  })

  it('is run only by requests with the values of its rule', async () => {
    const rules = { source: 'header:x-key', equals: 'k', mismatch_status: 403 }
    const { send, runner } = createService({ rules })
    expect(await send({ ...byPath, headers: { 'x-key': 'k' } })).toMatchObject({ status: 200 })
    for (const headers of [{}, { 'x-key': 'x' }, { 'x-key': 'k, k' }]) {
      expect(await send({ ...byPath, headers })).toMatchObject({ status: 403 })
    }
    expect(runner.commands).toHaveLength(1)
  })

  it('is not run by a browser for the page of another site, unless it is public', async () => {
    const settings = { allow_ips: ['192.0.2.0/24'], methods: ['GET', 'POST'] }
    const { send, runner } = createService({ ...settings, accept: ['json', 'form'] })
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      for (const sent of [byPath, byBody, { path: '/webhook/job' }]) {
        const refused = { status: 403, body: { code: 'not_allowed' } }
        expect(await send({ ...sent, headers })).toMatchObject(refused)
      }
    }
    expect(runner.commands).toHaveLength(0)
    expect(await send({ ...byPath, headers: { 'sec-fetch-site': 'none' } })).toMatchObject({
      status: 200,
    })
  })

  it('shows its records to the administrator only', async () => {
    const { send } = createService({ public: true })
    const { run_id } = (await send(byPath)).body
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer t' }]) {
      for (const path of [`/runs/${run_id}`, `/runs/${run_id}/output`, '/runs?id=job', '/runs']) {
        expect((await send({ path, headers })).status, path).toBe(401)
      }
      const canceled = await send({ method: 'DELETE', path: `/runs/${run_id}`, headers })
      expect(canceled.status).toBe(401)
    }
    const list = await send({ path: '/webhooks', headers: { authorization: 'Bearer t' } })
    expect(list.body.webhooks.map(({ id }: { readonly id: string }) => id)).toEqual(['other'])
    expect(await send({ path: `/runs/${run_id}`, headers: admin })).toMatchObject({ status: 200 })
  })

  it('is run by a signature or from an address, if its rules say so', async () => {
    const { send, runner } = createService({
      methods: ['GET', 'POST'],
      rules: {
        any: [
          { signature: { scheme: 'github', secret: 'a-secret' } },
          { all: [{ client_ip: ['10.0.0.0/8'] }, { not: { source: 'data.x', equals: 'no' } }] },
        ],
        mismatch_status: 403,
      },
      dedupe: { key: 'header:x-id' },
      include_output: 'always',
    })
    const body = '{"a":1}'
    const digest = createHmac('sha256', 'a-secret').update(body).digest('hex')
    const signature = { 'x-hub-signature-256': `sha256=${digest}`, 'x-id': '1' }
    const path = '/webhook/job'
    const statusOf = async (sent: object): Promise<number> => (await send({ path, ...sent })).status
    expect(await statusOf({ body: Buffer.from(body), headers: signature })).toBe(200)
    expect(await statusOf({ body: {}, address: '10.1.2.3' })).toBe(200)
    expect(runner.commands).toHaveLength(2)
    expect(await statusOf({ body: { x: 'no' }, address: '10.1.2.3' })).toBe(403)
    expect(await statusOf({ body: Buffer.from('{"a":2}'), headers: signature })).toBe(403)
    expect(await statusOf({ body: {}, address: '192.0.2.1' })).toBe(403)
    const empty = createHmac('sha256', 'a-secret').update('').digest('hex')
    const query = { method: 'GET', headers: { 'x-hub-signature-256': `sha256=${empty}` } }
    expect(await statusOf(query)).toBe(403)
    // The key of a delivery that ran says nothing about its run.
    const stranger = await send({ path, body: {}, headers: { 'x-id': '1' } })
    expect(stranger.status).toBe(403)
    expect(Object.keys(stranger.body)).not.toContain('run_id')
    expect(runner.commands).toHaveLength(2)
  })
})
