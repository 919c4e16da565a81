import { describe, expect, it } from 'vitest'
import { github } from '../senders/github/sender.ts'
import { signDelivery } from '../senders/sign-delivery.ts'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { createSender } from './routes.fixture.ts'

function createService(settings: object) {
  const { token: _, ...webhook } = webhookNamed('job', settings)
  const fixture = createFixture({ config: { webhooks: [webhook] }, script: endAtOnce })
  return { ...fixture, send: createSender([...fixture.webhooks.routes]) }
}

const signed = (
  body: string,
  now: number,
): { headers: Record<string, string>; body: Uint8Array } => {
  const { headers, body: bytes } = signDelivery(github, { body: Buffer.from(body), key: 's', now })
  return { headers: { ...headers }, body: bytes }
}

describe('a handshake', () => {
  it('is answered only if the delivery proved itself, and runs nothing', async () => {
    const { send, runner } = createService({ sender: { name: 'github', secret: 's' } })
    const { headers, body } = signed('{"zen":"x"}', 0)
    const ping = { path: '/webhook/job', headers: { ...headers, 'x-github-event': 'ping' }, body }
    const answer = await send(ping)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ message: 'pong' })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const forged = { ...ping, headers: { 'x-github-event': 'ping' } }
    expect((await send(forged)).status).toBe(401)
    expect(runner.commands).toHaveLength(0)
    const push = { ...ping, headers: { ...headers, 'x-github-event': 'push' } }
    expect((await send(push)).status).toBe(202)
    expect(runner.commands).toHaveLength(1)
  })

  it('of a stranger is answered as text, without a method of its own, and runs nothing', async () => {
    const { send, runner } = createService({ sender: { name: 'microsoft-graph', secret: 'state' } })
    const path = '/webhook/job?validationToken=%3Cscript%3E'
    const answer = await send({ path, body: '' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('<script>')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await send({ path, method: 'GET' })).status).toBe(405)
    expect((await send({ path: '/webhook/job', body: {} })).status).toBe(401)
    expect(runner.commands).toHaveLength(0)
  })

  it('is answered to allowed addresses only', async () => {
    const settings = { sender: { name: 'meta', secret: 's', verify_token: 'v' } }
    const { send } = createService({ ...settings, allow_ips: ['198.51.100.0/24'] })
    const path = '/webhook/job?hub.mode=subscribe&hub.challenge=1&hub.verify_token=v'
    expect((await send({ path, method: 'GET' })).status).toBe(405)
    const answer = await send({ path, method: 'GET', address: '198.51.100.7' })
    expect(await answer.text()).toBe('1')
  })
})
