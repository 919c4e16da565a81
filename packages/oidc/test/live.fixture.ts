import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  type AuthContext,
  type AuthOptions,
  createAuth,
  createUser,
  type Route,
} from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import * as client from 'openid-client'
import { expect, onTestFinished } from 'vitest'
import { createOidcProvider, type OidcOptions, type OidcProvider } from '../src/index.ts'
import { giveKeys } from './keys.fixture.ts'

/** The user of each server. */
const maya = { email: 'maya@example.com', password: 'tidal-lantern-42' } as const
/** Of clients that have one. */
export const secret = 'a-secret-of-at-least-24-characters'
/** Where apps are that nothing answers for: only the address of a visit counts. */
export const callback = 'https://app.example.com/callback'

/** A listener of HTTP on this machine, which is closed after the test. */
export async function listen(
  host: 'localhost' | '127.0.0.1',
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/** An authorization server that programs reach over HTTP. */
export interface Live {
  readonly origin: string
  readonly auth: AuthContext
  readonly oidc: OidcProvider
  readonly userId: string
  /** What the service has logged. */
  readonly log: () => string
  /** A client of the real library, which knows the server by its description. */
  discover(
    clientId: string,
    authentication?: client.ClientAuth,
    metadata?: Partial<client.ClientMetadata>,
  ): Promise<client.Configuration>
}

export interface LiveOptions {
  readonly oidc: Partial<OidcOptions>
  readonly config?: Readonly<Record<string, unknown>>
  readonly auth?: Partial<AuthOptions>
  /** The address of its user (default that of Maya). */
  readonly email?: string
  /** Two servers of one test need hosts of their own: cookies do not know ports. */
  readonly host?: 'localhost' | '127.0.0.1'
  /** More routes of the server. */
  readonly routes?: (live: Omit<Live, 'discover'>) => readonly Route[]
}

/** Starts an authorization server at a free port, with one user. */
export async function startLive(options: LiveOptions): Promise<Live> {
  let serve: ReturnType<typeof nodeAdapter> | undefined
  const origin = await listen(options.host ?? 'localhost', (request, response) =>
    serve?.(request, response),
  )
  const lines: string[] = []
  const log = (fields: object, message: string): void => {
    lines.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    )
  }
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: {
      id: 'harbor',
      http: { public_origin: origin, allow_insecure: true },
      authentication: { identities: ['login_id', 'oauth'], primary_authenticators: ['password'] },
      ...options.config,
    },
    secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    senders: {},
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    logger: { debug: log, info: log, warn: log, error: log },
    ...options.auth,
  })
  if (options.auth?.secrets === undefined) await giveKeys(auth)
  const oidc = createOidcProvider({ auth, clients: [], ...options.oidc })
  const userId = await createUser(auth, { ...maya, email: options.email ?? maya.email })
  const live = { origin, auth, oidc, userId, log: () => lines.join('\n') }
  serve = nodeAdapter([...auth.routes, ...oidc.routes, ...(options.routes?.(live) ?? [])])
  return {
    ...live,
    discover: (clientId, authentication = client.ClientSecretBasic(secret), metadata = {}) =>
      client.discovery(new URL(origin), clientId, metadata, authentication, {
        execute: [client.allowInsecureRequests],
      }),
  }
}

/** Where a browser has come to. */
export interface Visit {
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** A browser of one person: it keeps cookies, and follows redirects until a page answers, or an app that is elsewhere. */
export interface Person {
  open(url: string | URL, init?: RequestInit): Promise<Visit>
  /** Presses a button of the form in a page. */
  press(page: Visit, values: Readonly<Record<string, string>>): Promise<Visit>
  /** Signs in where the page to sign in would be, by a flow. */
  signIn(page: Visit, input?: Readonly<Record<string, unknown>>): Promise<Visit>
  /** Takes cookies as an answer of the server sets them. */
  keep(origin: string, cookies: readonly { readonly name: string; readonly value: string }[]): void
}

const byPassword = {
  identification: 'email',
  login_id: maya.email,
  authentication: 'primary_password',
  password: maya.password,
}

const decoded = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Opens a browser. */
export function createPerson(): Person {
  const jar = new Map<string, Map<string, { readonly value: string; readonly path: string }>>()
  const cookiesOf = ({ hostname }: URL) => {
    const cookies = jar.get(hostname) ?? new Map<string, { value: string; path: string }>()
    jar.set(hostname, cookies)
    return cookies
  }
  const send = async (url: URL, init: RequestInit): Promise<Response> => {
    const cookies = cookiesOf(url)
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path))
    const headers = new Headers(init.headers)
    headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const [, path = '/'] = /; path=([^;]*)/i.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, { value, path })
    }
    return response
  }
  const open: Person['open'] = async (address, init = {}) => {
    let url = new URL(address)
    let request = init
    for (let hops = 0; hops < 20; hops++) {
      const isHere = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
      if (!isHere) return { url, status: 0, text: '' }
      const response = await send(url, request)
      const text = await response.text()
      const location = response.headers.get('location')
      if (location === null) return { url, status: response.status, text }
      url = new URL(location, url)
      request = {}
    }
    throw new Error(`redirects do not end: ${url}`)
  }
  return {
    open,
    keep(origin, given) {
      for (const { name, value } of given) {
        cookiesOf(new URL(origin)).set(name, { value, path: '/' })
      }
    },
    press(page, values) {
      const [, action = page.url.href] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? []
      const hidden = page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
      const fields = [...hidden].map(([, name = '', value = '']) => [name, decoded(value)])
      return open(new URL(decoded(action), page.url), {
        method: 'POST',
        body: new URLSearchParams({ ...Object.fromEntries(fields), ...values }),
      })
    },
    async signIn({ url }, input = byPassword) {
      expect(url.pathname).toBe('/login')
      const flows = new URL(`/api/v1/authentication_flows${url.search}`, url)
      const response = await send(flows, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'login', name: 'default', input }),
      })
      const { result } = (await response.json()) as {
        result?: { action: { data: { finish_redirect_uri?: string } } }
      }
      return open(result?.action.data.finish_redirect_uri ?? expect.fail('the flow leads nowhere'))
    },
  }
}

/** An authorization request of the real library, and what redeems its answer. */
export interface Asked {
  readonly url: URL
  readonly checks: client.AuthorizationCodeGrantChecks
}

/** Makes an authorization request with PKCE, state and nonce. */
export async function ask(
  configuration: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
  build: (
    configuration: client.Configuration,
    parameters: Record<string, string>,
  ) => URL | Promise<URL> = client.buildAuthorizationUrl,
): Promise<Asked> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const checks = {
    pkceCodeVerifier,
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  }
  const url = await build(configuration, {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    ...parameters,
  })
  return { url, checks }
}
