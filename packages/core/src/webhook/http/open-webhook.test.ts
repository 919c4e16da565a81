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
})
