import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchHandler, type Route, silentLogger } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { bcrypt } from 'hash-wasm'
import { afterAll, describe, expect, it } from 'vitest'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import {
  createWebGuard,
  type GuardRules,
  openRules,
  readGuardRules,
  type WebGuard,
} from './web-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const file = join(folder, 'web.yml')
afterAll(() => rmSync(folder, { recursive: true }))

const readRules = (): Promise<GuardRules> => readGuardRules(file, createReadFiles())

async function hashOf(password: string): Promise<string> {
  return bcrypt({ password, salt: new Uint8Array(16), costFactor: 4, outputType: 'encoded' })
}

const served: Route = {
  method: 'GET',
  path: '/',
  answer: async () => textAnswer(200, 'served', { 'x-own': 'kept' }),
}

const ask = (guard: WebGuard, headers: Record<string, string> = {}): Promise<Response> =>
  fetchHandler(guard.protect([served]))(new Request('http://localhost/', { headers }))

const basic = (credentials: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

describe('createWebGuard()', () => {
  it('answers 401 as Alertmanager does if there is no password', async () => {
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('secret')} }\n`)
    const guard = createWebGuard(await readRules())
    const refused = await ask(guard)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Basic')
    expect(await refused.text()).toBe('Unauthorized\n')
    expect((await ask(guard, basic('ann:wrong'))).status).toBe(401)
    expect(await (await ask(guard, basic('ann:secret'))).text()).toBe('served')
  })

  it('adds headers to every response and keeps existing ones', async () => {
    writeFileSync(file, 'http_server_config: { headers: { X-Frame-Options: deny } }\n')
    const response = await ask(createWebGuard(await readRules()))
    expect(response.headers.get('x-frame-options')).toBe('deny')
    expect(response.headers.get('x-own')).toBe('kept')
    expect(await response.text()).toBe('served')
  })

  it('adds them to refusals of WebSockets too, and requires a password there', async () => {
    const headers = 'http_server_config: { headers: { X-Frame-Options: deny } }\n'
    const connect = async () => textAnswer(503, 'full', {})
    const outcome = async (): Promise<unknown[]> => {
      const [route] = createWebGuard(await readRules()).protect([{ ...served, connect }])
      const info = { params: {}, path: '/', mountPath: '', query: '', secure: false }
      const answer = await route?.connect?.(new Request('http://localhost/'), info)
      if (typeof answer !== 'object') throw new Error('it was let in')
      return [answer.status, answer.headers['x-frame-options']]
    }
    writeFileSync(file, headers)
    expect(await outcome()).toEqual([503, 'deny'])
    writeFileSync(file, `${headers}basic_auth_users: { ann: ${await hashOf('secret')} }\n`)
    expect(await outcome()).toEqual([401, 'deny'])
  })

  it('answers 429 above the rate limit', async () => {
    writeFileSync(file, 'rate_limit: { interval: 1h, burst: 2 }\n')
    const guard = createWebGuard(await readRules())
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(guard)).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('applies new rules from the next request on', async () => {
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('old')} }\n`)
    const guard = createWebGuard(await readRules())
    writeFileSync(file, `basic_auth_users: { ann: ${await hashOf('new')} }\n`)
    guard.replace(await readRules(), silentLogger)
    expect((await ask(guard, basic('ann:old'))).status).toBe(401)
    expect((await ask(guard, basic('ann:new'))).status).toBe(200)
    guard.replace(openRules, silentLogger)
    expect((await ask(guard)).status).toBe(200)
    guard.replace(await readRules(), silentLogger)
    expect((await ask(guard)).status).toBe(401)
  })

  it('logs that TLS cannot be turned on while it runs, and applies the rest', async () => {
    const guard = createWebGuard(openRules)
    const warnings: string[] = []
    const logger = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) }
    guard.replace(
      { ...openRules, tls: {}, headers: new Map([['X-Frame-Options', 'deny']]) },
      logger,
    )
    expect(warnings).toEqual(['a change of TLS between on and off takes effect at the next start'])
    expect(guard.tls).toBeUndefined()
    expect((await ask(guard)).headers.get('x-frame-options')).toBe('deny')
  })
})

describe('readGuardRules()', () => {
  it('refuses a file and reports every problem', async () => {
    writeFileSync(file, 'basic_auth_users: { ann: plain }\n')
    const failure = await readRules().catch(failureLines)
    expect(failure).toEqual([`${file}:1:19: the password of "ann" is not a bcrypt hash`])
  })
})
