import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@gatehouse/core'
import { bcrypt } from 'hash-wasm'
import { afterAll, describe, expect, it } from 'vitest'
import { createWebGuard, type WebGuard } from './web-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const file = join(folder, 'web.yml')
afterAll(() => rmSync(folder, { recursive: true }))

async function hashOf(password: string): Promise<string> {
  return bcrypt({ password, salt: new Uint8Array(16), costFactor: 4, outputType: 'encoded' })
}

async function ask(guard: WebGuard, headers: Record<string, string> = {}): Promise<Response> {
  const handler = guard.protect(() => new Response('served', { headers: { 'X-Own': 'kept' } }))
  return handler(new Request('http://localhost/', { headers }), {})
}

const basic = (credentials: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

describe('createWebGuard()', () => {
  it('answers 401 as Alertmanager does to whoever has no password', async () => {
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('secret')} }\n`)
    const guard = await createWebGuard(file)
    const refused = await ask(guard)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Basic')
    expect(await refused.text()).toBe('Unauthorized\n')
    expect((await ask(guard, basic('ann:wrong'))).status).toBe(401)
    expect(await (await ask(guard, basic('ann:secret'))).text()).toBe('served')
  })

  it('adds headers to every answer and keeps those that are there', async () => {
    writeFileSync(file, 'http_server_config: { headers: { X-Frame-Options: deny } }\n')
    const response = await ask(await createWebGuard(file))
    expect(response.headers.get('x-frame-options')).toBe('deny')
    expect(response.headers.get('x-own')).toBe('kept')
    expect(await response.text()).toBe('served')
  })

  it('answers 429 above the rate limit', async () => {
    writeFileSync(file, 'rate_limit: { interval: 1h, burst: 2 }\n')
    const guard = await createWebGuard(file)
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(guard)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('follows a good change of its file at a reload, and logs a bad one and stays as it is', async () => {
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('old')} }\n`)
    const guard = await createWebGuard(file)
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('new')} }\n`)
    await guard.reload(silentLogger)
    expect((await ask(guard, basic('ann:old'))).status).toBe(401)
    expect((await ask(guard, basic('ann:new'))).status).toBe(200)

    writeFileSync(file, 'basic_auth_users: { ann: plain }\n')
    const errors: object[] = []
    await guard.reload({ ...silentLogger, error: (fields) => errors.push(fields) })
    expect(errors).toEqual([{ error: `${file}:1:19: the password of "ann" is no bcrypt hash` }])
    expect((await ask(guard, basic('ann:new'))).status).toBe(200)
  })
})
