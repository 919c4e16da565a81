import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Route, silentLogger } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createReadFiles } from '../config/read-files.ts'
import { type Listening, listen } from '../listen.ts'
import { firstAddress } from './listen-address.ts'
import { opensslCipher, readTlsFiles, type TlsFiles } from './tls.ts'
import {
  createWebGuard,
  type GuardRules,
  openRules,
  readGuardRules,
  type WebGuard,
} from './web-guard.ts'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const pem = (name: string): string => readFileSync(fixtures + name, 'utf8')
const clientCertificate = { cert: pem('client.pem'), key: pem('client.key') }
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const running: Listening[] = []

afterEach(async () => {
  for (const listening of running.splice(0)) await listening.stop(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

const saysScheme: Route = {
  method: '*',
  path: '/*',
  answer: async (_, { secure }) => textAnswer(200, secure ? 'https:' : 'http:', {}),
}

/** Starts a server with these rules; returns its port and its guard. */
async function serveRules(rules: GuardRules): Promise<{ port: number; guard: WebGuard }> {
  const guard = createWebGuard(rules)
  const listening = await listen({
    places: [{ host: '127.0.0.1', port: 0 }],
    routes: guard.protect([saysScheme]),
    ...(guard.tls === undefined ? {} : { tls: guard.tls }),
    prepare: (server) => guard.prepare(server),
  })
  running.push(listening)
  return { guard, port: firstAddress(listening.places)?.port ?? 0 }
}

async function serveTls(settings: string): Promise<number> {
  const file = join(folder, 'web.yml')
  writeFileSync(
    file,
    `tls_server_config: { cert_file: ${fixtures}server.pem, key_file: ${fixtures}server.key${settings} }\n`,
  )
  const { port } = await serveRules(await readGuardRules(file, createReadFiles()))
  return port
}

/** The body of the response, or `refused`. */
function request(port: number, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const refuse = (): void => resolve('refused')
    const all = { host: '127.0.0.1', port, ca: pem('ca.pem'), agent: false, ...options }
    get(all, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.once('end', () => resolve(body)).once('error', refuse)
    }).once('error', refuse)
  })
}

describe('TLS', () => {
  it('is served with the certificate of the configuration', async () => {
    expect(await request(await serveTls(''))).toBe('https:')
  })

  it('is refused below the lowest version', async () => {
    const port = await serveTls(', min_version: TLS13')
    expect(await request(port, { maxVersion: 'TLSv1.2' })).toBe('refused')
    expect(await request(port)).toBe('https:')
  })

  it('is refused to clients without a valid certificate if one is required', async () => {
    const settings = `, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ${fixtures}ca.pem`
    const port = await serveTls(settings)
    expect(await request(port)).toBe('refused')
    expect(await request(port, clientCertificate)).toBe('https:')
  })

  it('accepts a client without a certificate if one is only verified when given', async () => {
    const settings = `, client_auth_type: VerifyClientCertIfGiven, client_ca_file: ${fixtures}ca.pem`
    const port = await serveTls(settings)
    expect(await request(port)).toBe('https:')
    expect(await request(port, clientCertificate)).toBe('https:')
  })

  it('accepts any certificate if any is required', async () => {
    const port = await serveTls(', client_auth_type: RequireAnyClientCert')
    expect(await request(port)).toBe('refused')
    expect(await request(port, clientCertificate)).toBe('https:')
  })

  it('is refused to certificates whose names are not allowed', async () => {
    const verified = `, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ${fixtures}ca.pem`
    const wrong = await serveTls(`${verified}, client_allowed_sans: [ other.example ]`)
    expect(await request(wrong, clientCertificate)).toBe('refused')
    const right = await serveTls(`${verified}, client_allowed_sans: [ client.example ]`)
    expect(await request(right, clientCertificate)).toBe('https:')
  })

  it('does not start with a key of another certificate, or a missing file', async () => {
    const file = join(folder, 'bad.yml')
    writeFileSync(
      file,
      `tls_server_config: { cert_file: ${fixtures}server.pem, key_file: ${fixtures}client.key }\n`,
    )
    await expect(readGuardRules(file, createReadFiles())).rejects.toThrow(
      `${file}: tls_server_config: `,
    )
    writeFileSync(file, 'tls_server_config: { cert_file: nope.pem, key_file: nope.key }\n')
    await expect(readGuardRules(file, createReadFiles())).rejects.toThrow(
      `${file}: tls_server_config.cert_file: nope.pem: no such file or directory`,
    )
    writeFileSync(
      file,
      `tls_server_config: { cert_file: ${fixtures}server.pem, key_file: ${fixtures}server.key, client_ca_file: no-ca.pem, client_auth_type: RequireAndVerifyClientCert }\n`,
    )
    await expect(readGuardRules(file, createReadFiles())).rejects.toThrow(
      `${file}: tls_server_config.client_ca_file: no-ca.pem: no such file or directory`,
    )
  })

  it('stays on, whatever a reload says', async () => {
    const { port, guard } = await serveRules({ ...openRules, tls: await tlsOf({}) })
    guard.replace(openRules, silentLogger)
    expect(await request(port)).toBe('https:')
  })
})

const tlsOf = (given: Partial<TlsFiles>): ReturnType<typeof readTlsFiles> => {
  const tls: TlsFiles = {
    cert: 'server.pem',
    key: 'server.key',
    ca: undefined,
    min_version: '1.2',
    ...given,
  }
  return readTlsFiles(tls, fixtures, createReadFiles())
}

describe('the key tls', () => {
  const serveFiles = async (given: Partial<TlsFiles>): Promise<number> =>
    (await serveRules({ ...openRules, tls: await tlsOf(given) })).port

  it('names the files of the certificate', async () => {
    expect(await request(await serveFiles({}))).toBe('https:')
  })

  it('sets the lowest version, by default 1.2', async () => {
    const least = await serveFiles({ min_version: '1.3' })
    expect(await request(least, { maxVersion: 'TLSv1.2' })).toBe('refused')
    expect(await request(least)).toBe('https:')
    expect(await request(await serveFiles({}), { maxVersion: 'TLSv1.2' })).toBe('https:')
  })

  it('requires client certificates with ca, also after a reload', async () => {
    const { port, guard } = await serveRules({ ...openRules, tls: await tlsOf({ ca: 'ca.pem' }) })
    for (let time = 0; time < 2; time++) {
      expect(await request(port)).toBe('refused')
      expect(await request(port, clientCertificate)).toBe('https:')
      guard.replace({ ...openRules, tls: await tlsOf({ ca: 'ca.pem' }) }, silentLogger)
    }
  })

  it('refuses files that are missing or do not match', async () => {
    await expect(tlsOf({ key: 'client.key' })).rejects.toThrow(/^tls: /)
    for (const key of ['cert', 'key', 'ca']) {
      await expect(tlsOf({ [key]: 'nope.pem' })).rejects.toThrow(
        `tls.${key}: nope.pem: no such file or directory`,
      )
    }
  })
})

describe('opensslCipher()', () => {
  it.each([
    ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
    ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
    ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
    ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ])('%s is %s', (name, cipher) => {
    expect(opensslCipher(name)).toBe(cipher)
  })

  it('refuses an unknown cipher suite', () => {
    expect(() => opensslCipher('TLS_FOO')).toThrow('unknown cipher: TLS_FOO')
  })
})
