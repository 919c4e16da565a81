import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { captureServer, type GivenAnswer } from '../http/capture-server.fixture.ts'
import { createCertificate } from './certificate.fixture.ts'
import { createClient, httpConfigOf } from './client.fixture.ts'

const authority = createCertificate('authority', { hosts: [] })
const server = createCertificate('server', { issuer: authority })
const tlsOf = (settings: object): ReturnType<typeof httpConfigOf> =>
  httpConfigOf({ tls_config: settings })

describe('tls_config', () => {
  it('without it, an authority that the platform does not know is refused', async () => {
    const { url } = await captureServer(undefined, server)
    await expect(createClient().post(url)).rejects.toThrow(
      /^Post "<redacted>": certificate signed by unknown authority \([A-Z_]+\)$/,
    )
  })

  it('trusts the authority that it names', async () => {
    const { url, requests } = await captureServer(undefined, server)
    const answer = await createClient().post(`${url}/w`, tlsOf({ ca: authority.cert }))
    expect([answer.status, requests[0]?.path]).toEqual([200, '/w'])
  })

  it('trusts no other authority if it names one', async () => {
    const { url } = await captureServer(undefined, server)
    const other = createCertificate('other', { hosts: [] })
    await expect(createClient().post(url, tlsOf({ ca: other.cert }))).rejects.toThrow(
      /certificate signed by unknown authority/,
    )
  })

  it('trusts any certificate with insecure_skip_verify', async () => {
    const { url } = await captureServer(
      undefined,
      createCertificate('any', { hosts: ['x.example'] }),
    )
    expect((await createClient().post(url, tlsOf({ insecure_skip_verify: true }))).status).toBe(200)
  })

  it('refuses a certificate for another host, unless server_name matches it', async () => {
    const certificate = createCertificate('x', { issuer: authority, hosts: ['x.example'] })
    const { url } = await captureServer(undefined, certificate)
    await expect(createClient().post(url, tlsOf({ ca: authority.cert }))).rejects.toThrow(
      'Post "<redacted>": the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
    )
    const named = tlsOf({ ca: authority.cert, server_name: 'x.example' })
    expect((await createClient().post(url, named)).status).toBe(200)
  })

  it('sends its own certificate on request', async () => {
    const client = createCertificate('client', { issuer: authority })
    const options = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true }
    const { url } = await captureServer(undefined, options)
    await expect(createClient().post(url, tlsOf({ ca: authority.cert }))).rejects.toThrow()
    const http = tlsOf({ ca: authority.cert, cert: client.cert, key: client.key })
    expect((await createClient().post(url, http)).status).toBe(200)
  })

  it('reads its files again, so that a certificate can be renewed', async () => {
    const { url } = await captureServer(undefined, server)
    const files = new Map([['/ca', createCertificate('old', { hosts: [] }).cert]])
    const client = createClient({ readFile: async (path) => files.get(path) ?? '' })
    const http = tlsOf({ ca_file: '/ca' })
    await expect(client.post(url, http)).rejects.toThrow(/unknown authority/)
    files.set('/ca', authority.cert)
    expect((await client.post(url, http)).status).toBe(200)
  })

  it('reuses a connection, and finally closes it', async () => {
    let opened = 0
    const listening = createServer(server, (_, response) => response.end())
    listening.on('secureConnection', () => opened++)
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listening.close())
    const url = `https://127.0.0.1:${(listening.address() as AddressInfo).port}`
    const client = createClient()
    const http = tlsOf({ ca: authority.cert })
    for (let i = 0; i < 10; i++) await client.post(url, http)
    expect(opened).toBeLessThanOrEqual(2)
    await client.close()
    const closed = new Promise((resolve) => listening.close(resolve))
    await expect(closed).resolves.toBeUndefined()
  })

  it.each([
    ['TLS13', { min_version: 'TLS13' }],
    ['TLS12', { max_version: 'TLS12' }],
    ['TLS11', { min_version: 'TLS10', max_version: 'TLS11' }],
  ])('uses %s if required', async (version, settings) => {
    const only = { TLS13: 'TLSv1.3', TLS12: 'TLSv1.2', TLS11: 'TLSv1.1' }[version]
    const versions = { minVersion: only, maxVersion: only } as object
    const options = { ...server, ...versions, ciphers: 'DEFAULT:@SECLEVEL=0' }
    const { url } = await captureServer(undefined, options)
    const http = tlsOf({ ca: authority.cert, ...settings })
    expect((await createClient().post(url, http)).status).toBe(200)
  })

  it('refuses a version that is too old', async () => {
    const { url } = await captureServer(undefined, { ...server, maxVersion: 'TLSv1.2' })
    const http = tlsOf({ ca: authority.cert, min_version: 'TLS13' })
    await expect(createClient().post(url, http)).rejects.toThrow(/^Post "<redacted>": [A-Z_]+/)
  })

  it.each([
    [{ ca: 'no certificate' }, 'unable to use specified CA cert: not in PEM format'],
    [{ cert: server.cert }, 'the client key is missing in tls_config'],
    [{ key: server.key }, 'the client certificate is missing in tls_config'],
    [{ ca_file: '/nowhere' }, 'unable to read CA cert file /nowhere: ENOENT'],
  ])('fails clearly for %o', async (settings, message) => {
    await expect(createClient().post('https://127.0.0.1:1/', tlsOf(settings))).rejects.toThrow(
      `Post "<redacted>": ${message}`,
    )
  })

  it('ends with the signal too', async () => {
    const { url } = await captureServer(() => new Promise<GivenAnswer>(() => undefined), server)
    const sent = createClient().send(
      { method: 'GET', url },
      tlsOf({ ca: authority.cert }),
      AbortSignal.timeout(50),
    )
    await expect(sent).rejects.toThrow('Get "<redacted>": context deadline exceeded')
  })

  it('names the missing package', async () => {
    const importUndici = (): Promise<never> => Promise.reject(new Error('Cannot find package'))
    const client = createClient({ importUndici })
    const http = tlsOf({ insecure_skip_verify: true })
    await expect(client.post('https://127.0.0.1:1/', http)).rejects.toMatchObject({
      reason: 'MissingPackage',
      message: expect.stringContaining('npm install undici@7'),
    })
  })

  it('needs no package for a URL without TLS', async () => {
    const importUndici = (): Promise<never> => Promise.reject(new Error('Cannot find package'))
    const { url } = await captureServer()
    const answer = await createClient({ importUndici }).post(
      url,
      tlsOf({ insecure_skip_verify: true }),
    )
    expect(answer.status).toBe(200)
  })
})
