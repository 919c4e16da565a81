import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createSession } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import type { Storage } from '@gatehouse/core/store'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isInSample, sampleOf } from '../../../test-support/lane.ts'
import { forEachStore } from '../../core/test/stores.ts'
import { oidcCollections } from '../src/collections.ts'
import { callback, clients, startWorld, type World } from './world.fixture.ts'

/** The answer to a request on the wire. */
interface Answered {
  readonly status: number
  readonly text: string
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

/** No answer to a hostile request needs more. */
const maxAnswerBytes = 65_536

const form = 'application/x-www-form-urlencoded'

const endpoints = [
  'authorize',
  'authorize/some-uid',
  'interaction/some-uid',
  'token',
  'par',
  'introspect',
  'revoke',
  'userinfo',
  'jwks',
  'logout',
  'logout/confirm',
  'logout/success',
  'device',
  'device/some-uid',
  'device_authorization',
  'register',
] as const

const descriptions = ['openid-configuration', 'oauth-authorization-server']
const paths = [
  ...endpoints.map((name) => `/oidc/${name}`),
  ...descriptions.map((name) => `/.well-known/${name}`),
]

const parameters = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'response_type',
  'response_mode',
  'prompt',
  'max_age',
  'ui_locales',
  'id_token_hint',
  'login_hint',
  'acr_values',
  'claims',
  'request',
  'request_uri',
  'resource',
  'code_challenge',
  'dpop_jkt',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'device_code',
  'user_code',
  'token',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'post_logout_redirect_uri',
  'xsrf',
]

/** Values that break programs which expect a short text. */
const values: readonly string[] = [
  '',
  '%00',
  'a%00b',
  '%FF%FE',
  '%',
  '%u0041',
  '%ED%A0%80',
  '%0D%0ASet-Cookie:%20stolen=1',
  '__proto__',
  'constructor',
  'toString',
  '[object%20Object]',
  '{"__proto__":{"polluted":true}}',
  '-1',
  '1e999',
  'NaN',
  '9007199254740993',
  '%F0%9F%94%91'.repeat(20),
  'x'.repeat(4_000),
  `${'%5B'.repeat(900)}${'%5D'.repeat(900)}`,
  'javascript:alert(1)',
  'https://evil.example/%23@app.example.com',
  '../../etc/passwd',
  "'%20OR%201=1--",
  '%24%7B7*7%7D',
  'eyJhbGciOiJub25lIn0.e30.',
]

/** The parameters of a right authorization request and a right exchange, of which one is broken at a time. */
const right = {
  client_id: 'spa',
  redirect_uri: encodeURIComponent(callback),
  scope: 'openid',
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const rightFor = (path: string): Readonly<Record<string, string>> =>
  path.endsWith('/token')
    ? {
        client_id: 'spa',
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: right.redirect_uri,
      }
    : right

const encoded = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const broken = (path: string, name: string, value: string): string =>
  encoded({ ...rightFor(path), [name]: value })

forEachStore([...authCollections, ...oidcCollections], (store) => {
  describe(`a hostile request, on ${store.name}`, () => {
    // The paths begin at different cases, so that together they get all of them.
    /** In memory, each case is sent once, at one path. The databases take a sample of that. */
    const isTried = sampleOf({ memory: paths.length, sqlite: 96, postgres: 72 }[store.name])
    /** A registration is at one path. */
    const isRegistered = store.name === 'memory' ? isInSample : isTried
    let storage: Storage | undefined
    let server: Server | undefined
    afterEach(async () => {
      server?.closeAllConnections()
      await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)))
      server = undefined
      await storage?.close()
      storage = undefined
    })

    async function serve() {
      storage = await store.openEmpty()
      const world = await startWorld({
        storage,
        hasKeys: true,
        oidc: {
          clients: Object.values(clients),
          deviceFlow: true,
          registration: 'open',
        },
      })
      server = createServer(
        nodeAdapter([...world.auth.routes, ...world.oidc.routes], {
          trustedProxies: ['127.0.0.1'],
        }),
      )
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const send = async ({ method, path, headers = {}, body }: Sent): Promise<Answered> => {
        // Limits are for another test: each request comes in a minute of its own.
        vi.setSystemTime(Date.now() + 60_000)
        const outgoing = httpRequest({
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: { 'x-forwarded-proto': 'https', ...headers },
          agent: false,
        })
        outgoing.end(body)
        const [incoming] = await once(outgoing, 'response')
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        return { status: incoming.statusCode, text: Buffer.concat(chunks).toString() }
      }
      return { world, send }
    }

    /** Checks that a request was refused as it should be, by the fault of its sender. */
    const check = (world: World, sent: Sent, { status, text }: Answered): void => {
      const what = `${sent.method} ${sent.path.slice(0, 200)} ${String(sent.body ?? '').slice(0, 200)}`
      expect({ what, isFault: status >= 500 }).toEqual({ what, isFault: false })
      expect(text.length, what).toBeLessThan(maxAnswerBytes)
      expect({ what, errors: world.logged.filter(({ level }) => level === 'error') }).toEqual({
        what,
        errors: [],
      })
    }

    /** Sends what `run` makes to every path of one server. */
    const onEachPath = (
      what: string,
      run: (
        to: Awaited<ReturnType<typeof serve>> & { readonly path: string; readonly place: number },
      ) => Promise<void>,
    ): void =>
      it(`${what} is answered with no fault on each path`, async () => {
        const served = await serve()
        for (const [place, path] of paths.entries()) await run({ ...served, path, place })
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
      })

    it('is compared to right ones, which go through', async () => {
      const { send } = await serve()
      const begun = await send({ method: 'GET', path: `/oidc/authorize?${encoded(right)}` })
      expect(begun.status).toBe(303)
      const headers = { 'content-type': form }
      const body = encoded(rightFor('/oidc/token'))
      const refused = await send({ method: 'POST', path: '/oidc/token', headers, body })
      expect(JSON.parse(refused.text)).toMatchObject({ error: 'invalid_grant' })
    })

    onEachPath('with a broken parameter', async ({ path, place, world, send }) => {
      const isRead = /authorize|well-known|jwks|logout$|success|some-uid/.test(path)
      for (const [at, name] of parameters.entries()) {
        for (const [index, value] of values.entries()) {
          if (!isTried(place, at, index)) continue
          const text = broken(path, name, value)
          const sent = isRead
            ? { method: 'GET', path: `${path}?${text.replaceAll(/["{}']/g, encodeURIComponent)}` }
            : { method: 'POST', path, headers: { 'content-type': form }, body: text }
          check(world, sent, await send(sent))
        }
      }
    })

    onEachPath(
      'with a parameter twice, or named as a member of objects,',
      async ({ path, place, world, send }) => {
        const texts = [
          ...parameters.map((name) => `${encoded(rightFor(path))}&${name}=a&${name}=b`),
          ...['__proto__', 'constructor', 'hasOwnProperty', 'a[b]', 'a[]', '%00', '%FF', ''].map(
            (name) => `${encoded(rightFor(path))}&${name}=x`,
          ),
          Array.from({ length: 5_000 }, (_, index) => `p${index}=1`).join('&'),
          '&'.repeat(10_000),
        ]
        for (const [index, text] of texts.entries()) {
          if (!isTried(place, index)) continue
          for (const sent of [
            { method: 'GET', path: `${path}?${text.slice(0, 12_000)}` },
            { method: 'POST', path, headers: { 'content-type': form }, body: text },
          ]) {
            check(world, sent, await send(sent))
          }
        }
      },
    )

    onEachPath('with any method, type and body', async ({ path, place, world, send }) => {
      const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
      const types = [
        undefined,
        form,
        `${form}; charset=utf-16`,
        `${form}; charset="`,
        'application/json',
        'application/jwt',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'text/plain',
        'nonsense',
        '/',
      ]
      const bodies: readonly (string | Buffer)[] = [
        '',
        '{"__proto__":{"polluted":true},"redirect_uris":{"length":1e9}}',
        '['.repeat(30_000),
        Buffer.from([0, 0xff, 0xfe, 0x80, 0x26, 0x3d]),
        '--x\r\ncontent-disposition: form-data; name="client_id"\r\n\r\nspa\r\n--x--',
        'x'.repeat(66_000),
      ]
      for (const [at, method] of methods.entries()) {
        for (const [kind, type] of types.entries()) {
          for (const [index, body] of bodies.entries()) {
            if (!isTried(place, at, kind, index)) continue
            const isWithout = method === 'GET' || method === 'HEAD'
            if (isWithout && body !== '') continue
            const headers = {
              ...(type === undefined ? {} : { 'content-type': type }),
              'content-length': String(body.length),
            }
            const sent = { method, path, headers, body }
            check(world, sent, await send(sent))
          }
        }
      }
    })

    onEachPath('with broken headers', async ({ path, place, world, send }) => {
      const { cookies } = await createSession(world.auth, world.userId, { amr: ['pwd'] })
      const session = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const headers: readonly Readonly<Record<string, string | string[]>>[] = [
        { authorization: 'Basic' },
        { authorization: 'Basic %%%' },
        { authorization: `Basic ${Buffer.from('%:%').toString('base64')}` },
        { authorization: `Basic ${Buffer.from('\0:\0').toString('base64')}` },
        { authorization: `Basic ${Buffer.from('__proto__:x').toString('base64')}` },
        { authorization: `Basic ${Buffer.from('service').toString('base64')}` },
        { authorization: 'Bearer' },
        { authorization: `Bearer ${'x'.repeat(8_000)}` },
        { authorization: 'DPoP x', dpop: 'x' },
        { authorization: 'DPoP x', dpop: 'e30.e30.e30' },
        {
          authorization: 'DPoP x',
          dpop: 'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7fX0.e30.x',
        },
        { dpop: 'x, y' },
        { cookie: 'oidc_session=x; oidc_session.sig=y; __proto__=z' },
        { cookie: `${session}; gatehouse_oidc_session=x; gatehouse_oidc_session.sig=y` },
        { cookie: `a=${'%'.repeat(6_000)}` },
        { cookie: session },
        { accept: '*/*;q=x, text/html' },
        { 'accept-language': 'x'.repeat(6_000) },
        { origin: 'null' },
        { origin: 'https://evil.example' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': "'" },
        { forwarded: 'for=";;;"' },
        { 'content-encoding': 'gzip' },
        { expect: 'anything' },
      ]
      for (const [index, given] of headers.entries()) {
        if (!isTried(place, index)) continue
        const type = { 'content-type': path.endsWith('register') ? 'application/json' : form }
        for (const sent of [
          { method: 'GET', path: `${path}?${encoded(right)}`, headers: given },
          { method: 'POST', path, headers: { ...type, ...given }, body: encoded(rightFor(path)) },
        ]) {
          const answer = await send(sent)
          check(world, sent, answer)
          const isForwarded = given['x-forwarded-host'] !== undefined
          expect(isForwarded && answer.text.includes('evil.example')).toBe(false)
        }
      }
    })

    it('for the registration of a client is answered with no fault', async () => {
      const { world, send } = await serve()
      const hostile: readonly unknown[] = [
        null,
        0,
        '',
        [],
        {},
        { length: 1 },
        '\0',
        ['\0'],
        [[]],
        [null],
        { __proto__: null, toString: 1 },
        -1,
        1e308,
        true,
        'x'.repeat(9_000),
      ]
      const names = [
        'redirect_uris',
        'client_name',
        'grant_types',
        'response_types',
        'token_endpoint_auth_method',
        'logo_uri',
        'client_uri',
        'policy_uri',
        'tos_uri',
        'scope',
        'jwks',
        'jwks_uri',
        'post_logout_redirect_uris',
        'id_token_signed_response_alg',
        'dpop_bound_access_tokens',
        'constructor',
        'contacts',
        'application_type',
        'sector_identifier_uri',
        'default_max_age',
        'subject_type',
        'request_uris',
      ]
      for (const [at, name] of names.entries()) {
        for (const [index, value] of hostile.entries()) {
          if (!isRegistered(at, index)) continue
          const body = JSON.stringify({ redirect_uris: [callback], [name]: value })
          const headers = { 'content-type': 'application/json' }
          const sent = { method: 'POST', path: '/oidc/register', headers, body }
          vi.setSystemTime(Date.now() + 3_600_000)
          check(world, sent, await send(sent))
        }
      }
    })
  })
})
