import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthClient } from '@gatehouse/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  type BuiltServerOptions,
  buildServer,
  type RunningServer,
  startBuiltServer,
} from './built-server.fixture.ts'
import { email, password } from './maya.fixture.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function start(options: BuiltServerOptions): Promise<RunningServer> {
  const server = await startBuiltServer(options)
  onTestFinished(async () => void (await server.stop()))
  return server
}

it('keeps users over a restart', async () => {
  const environment = { AUTH_DATABASE: join(folder, 'people.db') }
  const first = await start({ environment })
  await first.signUp(email)
  expect(await first.stop()).toBe(0)

  const second = await start({ environment })
  const login = { identification: 'email', login_id: email } as const
  const proof = { authentication: 'primary_password', password } as const
  const done = await createAuthClient({ url: second.origin }).login({ inputs: [login, proof] })
  expect(done.prompt).toBe('finished')
  expect(await second.stop()).toBe(0)
})

it('ends even while a browser waits for a link to be opened', async () => {
  const server = await start({
    config: { verification: { claims: { email: { otp_form: 'link' } } } },
  })
  const inputs = [{ identification: 'email', login_id: email }] as const
  const sent = await createAuthClient({ url: server.origin }).signup({ inputs })
  if (sent.prompt !== 'verify_oob_otp_data') throw new Error(sent.prompt)
  const headers = { accept: 'text/event-stream' }
  const feed = sent.action.data.websocket_url?.replace(/^ws/, 'http') ?? ''
  const events = await fetch(feed, { headers })
  expect(events.status).toBe(200)
  expect(await server.stop()).toBe(0)
  await events.text()
})

it('does not log codes in production', async () => {
  const server = await start({ environment: { NODE_ENV: 'production' } })
  const inputs = [{ identification: 'email', login_id: email }] as const
  await expect(createAuthClient({ url: server.origin }).signup({ inputs })).rejects.toThrow(
    expect.objectContaining({ reason: 'OTPDeliveryUnexpectedError' }),
  )
  expect(await server.stop()).toBe(0)
  expect(server.log).toEqual([expect.stringContaining(server.origin)])
})

describe('a server that cannot start', () => {
  /** Its exit code and output. */
  async function run(environment: Readonly<Record<string, string>>): Promise<[unknown, string]> {
    const env = {
      PORT: '0',
      AUTH_KEY: 'a key for tests, of 32 bytes or more',
      AUTH_DATABASE: join(folder, 'people.db'),
      ...environment,
    }
    const file = await buildServer()
    return new Promise((resolve) => {
      execFile(process.execPath, [file], { env, timeout: 10_000 }, (error, stdout, stderr) => {
        resolve([error?.code, stdout + stderr])
      })
    })
  }

  it('reports a missing environment variable in one line', async () => {
    const [code, output] = await run({ AUTH_KEY: '' })
    expect(code).toBe(1)
    expect(output).toMatch(/^AUTH_KEY must have 32 bytes or more, .*\n$/)
  })

  it('reports a configuration error with its position in one line', async () => {
    const AUTH_CONFIG = join(folder, 'mine.yaml')
    writeFileSync(AUTH_CONFIG, 'id: x\nhttp:\n  public_origin: $' + '{PUBLIC_ORIGIN}\n  allow: 1\n')
    const [code, output] = await run({ AUTH_CONFIG })
    expect(code).toBe(1)
    expect(output).toMatch(/^mine\.yaml:4:\d+ http\.allow: .*\n$/)
  })

  it('reports a port in use in one line', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const [code, output] = await run({ PORT: `${port}` })
    expect(code).toBe(1)
    expect(output).toMatch(/^listen EADDRINUSE: .*\n$/)
  })
})
