import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { systemClock } from '../../../time/clock.ts'
import { type FakeAnswer, type FakeServer, startFakeServer } from '../fake-server.fixture.ts'
import { type Fetch, ForbiddenAddressError } from './fetch.ts'
import { createNodeFetch } from './node-fetch.ts'
import { createProviderHttp, type ProviderHttp } from './provider-http.ts'
import { isPublicAddress } from './public-address.ts'

const what = 'the document'

/** Both implementations; each allows this machine. */
const fetches: readonly (readonly [name: string, send: Fetch])[] = [
  ['our own connections', createNodeFetch({ isAllowed: () => true })],
  ['fetch', fetch],
]

const httpOver = (send: Fetch, clock = systemClock): ProviderHttp =>
  createProviderHttp({ fetch: send, clock, timeoutMs: 10_000, allowHttp: true })

const refused = (message: string | RegExp) => ({
  kind: 'BadRequest',
  reason: 'OAuthProtocolError',
  message: expect.stringMatching(message),
})

async function serving(answer: FakeAnswer): Promise<FakeServer> {
  const server = await startFakeServer()
  server.answer('/document', answer)
  return server
}

describe.each(fetches)('a provider over %s', (_, send) => {
  const http = httpOver(send)

  it('returns a document', async () => {
    const server = await serving({ json: { a: 1 } })
    expect(await http.getDocument(what, `${server.origin}/document?x=1`)).toEqual({ a: 1 })
    const [request] = server.requests
    expect(request).toMatchObject({
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'Gatehouse',
      },
    })
    expect(request?.query.toString()).toBe('x=1')
  })

  it('receives a form, and answers with any status', async () => {
    const server = await serving({ json: ['refused'], status: 400 })
    const request = {
      what,
      url: `${server.origin}/document`,
      headers: { authorization: 'Basic x' },
    }
    const form = new URLSearchParams({ code: 'a b&c' })
    expect(await http.send({ ...request, form })).toEqual({ status: 400, body: ['refused'] })
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Basic x', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(server.requests[0]?.form.get('code')).toBe('a b&c')
  })

  it.each<[string, FakeAnswer, string]>([
    ['HTML', { text: '<h1>Oops</h1>' }, 'answered 200, without JSON'],
    ['an error in HTML', { text: '<h1>Oops</h1>', status: 502 }, 'answered 502, without JSON'],
    ['nothing', { text: '' }, 'answered 200, without JSON'],
    ['half an object', { text: '{"a":' }, 'answered 200, without JSON'],
    ['malformed UTF-8', { write: (to) => to.end(Buffer.from([34, 0xff, 34])) }, 'without JSON'],
    ['a list', { json: [] }, 'answered 200 without a JSON object'],
    ['an error in JSON', { json: {}, status: 500 }, 'answered 500 without a JSON object'],
    ['33 levels', { text: `{"a":${'['.repeat(32)}${']'.repeat(32)}}` }, 'without JSON'],
    ['500,000 levels', { text: '['.repeat(500_000) + ']'.repeat(500_000) }, 'without JSON'],
    ['more than a mebibyte', { text: ' '.repeat(1_048_577) }, 'answered more than 1048576 bytes'],
  ])('is refused if it answers %s', async (_, answer, message) => {
    const server = await serving(answer)
    await expect(http.getDocument(what, `${server.origin}/document`)).rejects.toMatchObject(
      refused(`^the document ${message}|${message}$`),
    )
  })

  it('is cut off after a mebibyte', async () => {
    let written = 0
    let closed: Promise<void> | undefined
    const server = await serving({
      write(response) {
        closed = new Promise((resolve) => response.on('close', resolve))
        const more = (): void => {
          while (!response.destroyed && written < 100_000_000) {
            written += 65_536
            if (!response.write(Buffer.alloc(65_536, 32))) return
          }
        }
        response.on('drain', more)
        more()
      },
    })
    await expect(http.getDocument(what, `${server.origin}/document`)).rejects.toMatchObject(
      refused('the document answered more than 1048576 bytes'),
    )
    await closed
    expect(written).toBeLessThan(20_000_000)
  })

  it('is refused if the connection breaks', async () => {
    const server = await serving({
      write(response) {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"a":', () => response.destroy())
      },
    })
    await expect(http.getDocument(what, `${server.origin}/document`)).rejects.toMatchObject(
      refused(/^the document could not be reached \([A-Z_]+\)$/),
    )
  })

  it('is refused if nobody listens, without revealing its URL', async () => {
    const url = 'http://127.0.0.1:1/?code=secret'
    const error = await http.getDocument(what, url).catch((caught: unknown) => caught)
    expect(error).toMatchObject(refused(/^the document could not be reached \([A-Za-z_]+\)$/))
    expect(inspect(error, { showHidden: true })).not.toMatch(/secret|cause/)
  })

  it.each<[string, FakeAnswer]>([
    ['does not answer', { write: () => undefined }],
    ['does not end', { write: (response) => void response.write('{"a":') }],
  ])('has ten seconds if it %s', async (_, answer) => {
    const clock = createManualClock()
    const server = await startFakeServer()
    const arrived = new Promise<void>((resolve) => {
      server.answer('/document', () => {
        resolve()
        return answer
      })
    })
    const asked = httpOver(send, clock).getDocument(what, `${server.origin}/document`)
    const outcome = expect(asked).rejects.toMatchObject(
      refused('the document did not answer in time'),
    )
    await arrived
    clock.advance(9_999)
    expect(clock.pendingTimers).toBe(1)
    clock.advance(1)
    await outcome
    expect(clock.pendingTimers).toBe(0)
  })

  it('may redirect to a document three times', async () => {
    const server = await startFakeServer()
    const to = (location: string): FakeAnswer => ({
      text: 'away',
      status: 302,
      headers: { location },
    })
    server.answer('/1', to('/2?a=1'))
    server.answer('/2', to(`${server.origin}/3`))
    server.answer('/3', to('document'))
    server.answer('/document', { json: { a: 1 } })
    expect(await http.getDocument(what, `${server.origin}/1`)).toEqual({ a: 1 })
    server.answer('/0', to('/1'))
    await expect(http.getDocument(what, `${server.origin}/0`)).rejects.toMatchObject(
      refused('the document redirects too often, or without a location'),
    )
  })

  it.each(['/document', ''])(
    'is refused if it redirects in a circle, to "%s"',
    async (location) => {
      const server = await serving({ text: '', status: 301, headers: { location } })
      await expect(http.getDocument(what, `${server.origin}/document`)).rejects.toMatchObject(
        refused('the document redirects too often, or without a location'),
      )
      expect(server.requests).toHaveLength(4)
    },
  )

  it('is not followed with secrets', async () => {
    const server = await serving({ text: '', status: 307, headers: { location: '/elsewhere' } })
    const request = { what, url: `${server.origin}/document` }
    for (const sent of [request, { ...request, form: new URLSearchParams({ code: 'c' }) }]) {
      await expect(http.send(sent)).rejects.toMatchObject(
        refused('the document redirects, which is not followed'),
      )
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/document', '/document'])
  })

  it.each([
    'ftp://x.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://a:b@x.example/',
  ])('is not followed to %s', async (location) => {
    const server = await serving({ text: '', status: 302, headers: { location } })
    await expect(http.getDocument(what, `${server.origin}/document`)).rejects.toMatchObject(
      refused('the document has a URL that is not allowed'),
    )
  })
})

describe('a provider on the internet', () => {
  /** One host of the internet with its answers. */
  const internet =
    (location: string): Fetch =>
    async (url) => {
      if (new URL(url).hostname !== 'public.example') throw new ForbiddenAddressError()
      return new Response('away', { status: 302, headers: { location } })
    }
  const options = { clock: systemClock, timeoutMs: 10_000, allowHttp: false }

  it('is not followed to an address of this network', async () => {
    const http = createProviderHttp({ ...options, fetch: internet('https://10.0.0.7/x') })
    await expect(http.getDocument(what, 'https://public.example')).rejects.toMatchObject(
      refused(/^the document leads to an address that is not public \(allowPrivateAddresses\)$/),
    )
  })

  it('is neither requested nor followed without TLS', async () => {
    const http = createProviderHttp({ ...options, fetch: internet('http://public.example/') })
    for (const url of ['https://public.example', 'http://public.example']) {
      await expect(http.getDocument(what, url)).rejects.toMatchObject(
        refused('the document has a URL that is not allowed'),
      )
    }
  })

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
  ])('is refused at %s', async (url) => {
    const send = createNodeFetch({ isAllowed: isPublicAddress })
    await expect(
      createProviderHttp({ ...options, fetch: send }).getDocument(what, url),
    ).rejects.toMatchObject(refused('the document leads to an address that is not public'))
  })
})
