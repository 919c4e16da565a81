import { describe, expect, it } from 'vitest'
import { textAnswer } from './answer.ts'
import { guardHosts } from './guard-hosts.ts'
import type { Route } from './route.ts'

const info = { params: {}, path: '/', mountPath: '', query: '', secure: false }
const served: Route = {
  method: 'GET',
  path: '/',
  answer: async () => textAnswer(200, 'served', {}),
}

async function statusFor(host: string | undefined, hosts?: readonly string[]): Promise<number> {
  const [route] = guardHosts([served], hosts)
  const headers: Record<string, string> = host === undefined ? {} : { host }
  const answer = await route?.answer(new Request('http://x/', { headers }), info)
  return answer?.status ?? 0
}

describe('guardHosts()', () => {
  it.each([
    'localhost',
    'localhost:9093',
    'LocalHost.:9093',
    'app.localhost:3000',
    '127.0.0.1:9093',
    '127.8.9.10',
    '[::1]:9093',
    'workstation:9093',
    undefined,
  ])('accepts the host of this machine: %s', async (host) => {
    expect(await statusFor(host)).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:9093',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'not-localhost.example',
    '10.0.0.1:9093',
    '[::2]',
    'a b.example',
    'evil.',
  ])('refuses another host: %s', async (host) => {
    expect(await statusFor(host)).toBe(421)
  })

  it('accepts allowed hosts, or all', async () => {
    expect(await statusFor('alerts.example.com:80', ['Alerts.example.com'])).toBe(200)
    expect(await statusFor('other.example.com', ['alerts.example.com'])).toBe(421)
    expect(await statusFor('evil.example', ['*'])).toBe(200)
  })

  it('reports the refused host, and opens no WebSocket for it', async () => {
    const [route] = guardHosts([{ ...served, connect: async () => () => () => {} }])
    const request = new Request('http://x/', { headers: { host: 'evil.example' } })
    const answer = await route?.answer(request, info)
    expect(answer?.body).toContain('Host "evil.example" is not allowed. Add it to allowed_hosts')
    const outcome = await route?.connect?.(request, info)
    expect(outcome).toMatchObject({ status: 421 })
  })
})
