import { describe, expect, it } from 'vitest'
import { captureServer } from '../http/capture-server.fixture.ts'
import { createCertificate } from './certificate.fixture.ts'
import { createClient, httpConfigOf } from './client.fixture.ts'
import { chooseProxy } from './proxy.ts'
import { proxyServer } from './proxy-server.fixture.ts'
import { socksServer } from './socks-server.fixture.ts'

const authority = createCertificate('authority', { hosts: [] })
const certificate = createCertificate('target', { issuer: authority, hosts: ['target.example'] })
const tls_config = { ca: authority.cert }

describe('a proxy', () => {
  it('gets the whole URL of an http request', async () => {
    const target = await captureServer(() => ({ body: 'through' }))
    const proxy = await proxyServer(target.url)
    const http = httpConfigOf({
      proxy_url: proxy.url.replace('//', '//us%40er:pw@'),
      proxy_connect_header: { 'X-Tunnel': ['t'] },
      basic_auth: { username: 'u', password: 'p' },
    })
    const answer = await createClient().post('http://target.example:81/w?x=1', http)
    expect(answer.body).toBe('through')
    expect(target.requests[0]).toMatchObject({ method: 'POST', path: '/w?x=1', body: '{}' })
    expect(target.requests[0]?.headers).toMatchObject({
      authorization: 'Basic dTpw',
      host: 'target.example:81',
    })
    const [asked] = proxy.requests
    expect(asked).toMatchObject({ method: 'POST', target: 'http://target.example:81/w?x=1' })
    const credentials = Buffer.from('us@er:pw').toString('base64')
    expect(asked?.headers['proxy-authorization']).toBe(`Basic ${credentials}`)
    expect(asked?.headers).not.toHaveProperty('x-tunnel')
  })

  it('opens a tunnel for an https URL, and cannot read what passes', async () => {
    const target = await captureServer(() => ({ body: 'through' }), certificate)
    const proxy = await proxyServer(target.url)
    const http = httpConfigOf({
      tls_config,
      proxy_url: proxy.url.replace('//', '//user:pw@'),
      proxy_connect_header: { 'X-Tunnel': ['a', 'b'] },
      authorization: { credentials: 'abc' },
    })
    const answer = await createClient().post('https://target.example/w', http)
    expect(answer.body).toBe('through')
    expect(target.requests[0]?.headers).toMatchObject({ authorization: 'Bearer abc' })
    expect(target.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
    const [asked] = proxy.requests
    expect(asked).toMatchObject({ method: 'CONNECT', target: 'target.example:443' })
    expect(asked?.headers).toMatchObject({
      'proxy-authorization': 'Basic dXNlcjpwdw==',
      'x-tunnel': 'a, b',
    })
    expect(asked?.headers).not.toHaveProperty('authorization')
  })

  it.each(['http', 'https'])('may use TLS itself, also for a URL of %s', async (protocol) => {
    const target = await captureServer(undefined, protocol === 'https' ? certificate : undefined)
    const tls = createCertificate('proxy', { issuer: authority })
    const proxy = await proxyServer(target.url, { tls })
    const http = httpConfigOf({
      tls_config: { ...tls_config, server_name: 'target.example' },
      proxy_url: proxy.url.replace('127.0.0.1', 'localhost'),
    })
    expect((await createClient().post(`${protocol}://target.example/`, http)).status).toBe(200)
    expect(proxy.requests.map(({ method }) => method)).toEqual(['CONNECT'])
  })

  it('that refuses is reported without its URL', async () => {
    const target = await captureServer(undefined, certificate)
    const proxy = await proxyServer(target.url, { status: 407 })
    const http = httpConfigOf({ tls_config, proxy_url: proxy.url })
    await expect(createClient().post('https://target.example/', http)).rejects.toThrow(
      'Post "<redacted>": the proxy answered 407',
    )
  })

  it('may use SOCKS 5', async () => {
    const target = await captureServer(() => ({ body: 'through' }))
    const proxy = await socksServer(target.url)
    const http = httpConfigOf({ proxy_url: `socks5h://user:p%40w@${proxy.host}` })
    expect((await createClient().post('http://target.example:81/w', http)).body).toBe('through')
    expect(proxy.requests).toEqual(['user:p@w target.example:81'])
    expect(target.requests[0]?.path).toBe('/w')
  })

  it('with another protocol is refused', async () => {
    const http = httpConfigOf({ proxy_url: 'quic://proxy.example' })
    await expect(createClient().post('http://target.example/', http)).rejects.toThrow(
      'Post "<redacted>": unsupported proxy scheme "quic"',
    )
  })

  it('is bypassed for a host of no_proxy, also after a redirect', async () => {
    const target = await captureServer(({ path }) =>
      path === '/' ? { status: 307, headers: { location: `${direct.url}/there` } } : {},
    )
    const direct = await captureServer()
    const proxy = await proxyServer(target.url)
    const http = httpConfigOf({ proxy_url: proxy.url, no_proxy: 'x.example,127.0.0.0/8' })
    await createClient().post('http://target.example/', http)
    expect(proxy.requests.map(({ target }) => target)).toEqual(['http://target.example/'])
    expect(direct.requests.map(({ path }) => path)).toEqual(['/there'])
  })

  it('comes only from the given environment', async () => {
    const target = await captureServer()
    const proxy = await proxyServer(target.url)
    const http = httpConfigOf({ proxy_from_environment: true })
    const environment = { http_proxy: proxy.url.replace('http://', '') }
    await createClient({ environment }).post('http://target.example/', http)
    expect(proxy.requests.length).toBe(1)
    const fetched: string[] = []
    const fetch = async (url: string): Promise<Response> => {
      fetched.push(url)
      return new Response()
    }
    await createClient({ fetch }).post('http://target.example/', http)
    expect([fetched, proxy.requests.length]).toEqual([['http://target.example/'], 1])
  })
})

describe('chooseProxy', () => {
  const choose = (
    settings: object,
    url: string,
    environment: Readonly<Record<string, string>> = {},
  ): string | undefined => chooseProxy(httpConfigOf(settings), environment)(new URL(url))?.href

  it('returns the configured proxy for everything, the machine itself included', () => {
    const settings = { proxy_url: 'http://p.example:3128' }
    expect(choose(settings, 'http://a.example/')).toBe('http://p.example:3128/')
    expect(choose(settings, 'https://localhost/')).toBe('http://p.example:3128/')
  })

  it('returns none if none is configured', () => {
    const environment = { HTTP_PROXY: 'http://p/' }
    expect(choose({}, 'http://a.example/', environment)).toBeUndefined()
  })

  it('reads the environment by protocol, upper case first', () => {
    const settings = { proxy_from_environment: true }
    const environment = {
      HTTP_PROXY: 'big',
      http_proxy: 'small',
      https_proxy: 'https://s:1',
      NO_PROXY: '.x',
    }
    expect(choose(settings, 'http://a.example/', environment)).toBe('http://big/')
    expect(choose(settings, 'https://a.example/', environment)).toBe('https://s:1/')
    expect(choose(settings, 'https://a.x/', environment)).toBeUndefined()
    expect(choose(settings, 'http://localhost/', environment)).toBeUndefined()
    expect(choose(settings, 'http://a.example/', { HTTP_PROXY: 'http://[' })).toBeUndefined()
  })

  it('refuses a proxy whose URL is not valid', () => {
    expect(() => choose({ proxy_url: 'p q' }, 'http://a.example/')).toThrow(
      'proxy_url is not the URL of a proxy',
    )
  })
})
