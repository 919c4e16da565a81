import {
  type AuthContext,
  type AuthOptions,
  createAuth,
  createUser,
  type FlowType,
  fetchHandler,
} from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import type { Storage } from '@gatehouse/core/store'
import {
  createMessageOutbox,
  type DrivenInput,
  driveFlow,
  type MessageOutbox,
} from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import * as client from 'openid-client'
import { expect, onTestFinished, vi } from 'vitest'
import type { OidcClient, OidcOptions } from '../src/config/options.ts'
import { createOidcProvider, type OidcProvider } from '../src/create-oidc-provider.ts'
import { giveKeys } from './keys.fixture.ts'

export const origin = 'https://id.example.com'
const clientSecret = 'a-secret-of-at-least-24-characters'
export const callback = 'https://app.example.com/callback'
export const email = 'maya@example.com'
const password = 'tidal-lantern-42'

/** A client of each type that is never asked about. */
export const clients = {
  web: {
    clientId: 'web',
    name: 'Harbor Board',
    type: 'web',
    clientSecret,
    redirectUris: [callback],
    postLogoutRedirectUris: ['https://app.example.com/bye'],
    consent: 'never',
  },
  asking: {
    clientId: 'asking',
    name: 'Weather Notes',
    type: 'web',
    clientSecret,
    redirectUris: [callback],
    policyUri: 'https://app.example.com/privacy',
  },
  spa: {
    clientId: 'spa',
    name: 'Shop',
    type: 'spa',
    redirectUris: [callback],
    consent: 'never',
  },
  native: {
    clientId: 'native',
    name: 'Command line',
    type: 'native',
    redirectUris: ['http://127.0.0.1/callback'],
  },
  service: { clientId: 'service', name: 'Robot', type: 'service', clientSecret },
} as const satisfies Readonly<Record<string, OidcClient>>

/** An authorization server in memory. */
export interface World {
  readonly auth: AuthContext
  readonly oidc: OidcProvider
  readonly outbox: MessageOutbox
  readonly logged: { readonly level: string; readonly fields: object; readonly message: string }[]
  readonly userId: string
  /** Sends a request as programs do. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** A new browser, with cookies of its own. */
  browser(): Browser
  /** A client of the real library, which knows the server by its description. */
  configuration(
    clientId: string,
    options?: Partial<client.DiscoveryRequestOptions>,
  ): Promise<client.Configuration>
}

export interface WorldOptions {
  readonly oidc?: Partial<OidcOptions>
  readonly auth?: Partial<AuthOptions>
  readonly config?: Readonly<Record<string, unknown>>
  readonly storage?: Storage
  /** Whether the storage is given keys, and none are made for it (default: without `storage` and secrets). */
  readonly hasKeys?: boolean
  /** Of another process on the same storage, which has made the user. */
  readonly userId?: string
}

/** Starts an authorization server with one user, whose time is that of the test: `vi.setSystemTime` moves it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-04T10:00:00Z') })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const outbox = createMessageOutbox()
  const logged: World['logged'] = []
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields, message })
  }
  const auth = createAuth({
    storage: options.storage ?? createMemoryStorage(),
    config: {
      id: 'test',
      http: { public_origin: origin },
      authentication: {
        identities: ['login_id'],
        primary_authenticators: ['password'],
        secondary_authenticators: ['totp'],
        secondary_authentication_mode: 'if_exists',
      },
      ...options.config,
    },
    secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    senders: outbox.senders,
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    logger: { debug: log('debug'), info: () => {}, warn: log('warn'), error: log('error') },
    ...options.auth,
  })
  const { hasKeys = options.storage === undefined && options.auth?.secrets === undefined } = options
  if (hasKeys) await giveKeys(auth)
  const oidc = createOidcProvider({ auth, clients: Object.values(clients), ...options.oidc })
  const userId = options.userId ?? (await createUser(auth, { email, password }))
  const handle = fetchHandler([...auth.routes, ...oidc.routes], {
    client: () => ({ address: '192.0.2.7' }),
  })
  const fetch = (url: string, init: RequestInit = {}) => handle(new Request(url, init))
  return {
    auth,
    oidc,
    outbox,
    logged,
    userId,
    fetch,
    browser: () => createBrowser(auth, fetch),
    configuration: (clientId, given) =>
      client.discovery(
        new URL(origin),
        clientId,
        undefined,
        /^(?:spa|native)$/.test(clientId) ? client.None() : client.ClientSecretBasic(clientSecret),
        { [client.customFetch]: (url, init) => fetch(url, init as RequestInit), ...given },
      ),
  }
}

/** Where a browser has come to. */
export interface Visit {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Browser {
  /** Goes to an address and follows its redirects, until it leaves the server or sees a page. */
  open(url: string | URL): Promise<Visit>
  /** Sends a form of the page. */
  send(page: Visit, values: Readonly<Record<string, string>>): Promise<Visit>
  /** Signs in or up by a flow for the page that it was sent to, and goes on to where the flow leads. */
  signIn(at: Visit, inputs?: readonly DrivenInput[]): Promise<Visit>
  /** Its cookies for a path. */
  cookies(path: string): string
  /** Takes cookies as a response of the server sets them. */
  keep(
    cookies: readonly { readonly name: string; readonly value: string; readonly path?: string }[],
  ): void
}

/** The hidden fields of the form in a page. */
const fieldsOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )

function createBrowser(auth: AuthContext, fetch: World['fetch']): Browser {
  const jar = new Map<string, { readonly value: string; readonly path: string }>()
  const cookies = (path: string): string =>
    [...jar]
      .filter(([, one]) => path === one.path || path.startsWith(one.path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  const take = (headers: Headers): void => {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const [, path = '/'] = /; path=([^;]*)/i.exec(line) ?? []
      const [, expires] = /; expires=([^;]*)/i.exec(line) ?? []
      const isEnded =
        /; max-age=0/i.test(line) || (expires !== undefined && Date.parse(expires) <= Date.now())
      if (isEnded) jar.delete(name)
      else jar.set(name, { value, path })
    }
  }
  const visit = async (given: string | URL, init: RequestInit = {}): Promise<Visit> => {
    let url = new URL(given, origin)
    let request = init
    for (let hops = 0; hops < 20; hops++) {
      const headers = new Headers(request.headers)
      headers.set('accept', 'text/html')
      headers.set('cookie', cookies(url.pathname))
      const response = await fetch(url.href, { ...request, headers })
      take(response.headers)
      const location = response.headers.get('location')
      if (location === null) {
        return {
          url,
          status: response.status,
          headers: response.headers,
          text: await response.text(),
        }
      }
      url = new URL(location, url)
      request = {}
      const isOwn = url.origin === origin && url.pathname.startsWith('/oidc/')
      if (!isOwn) return { url, status: response.status, headers: response.headers, text: '' }
    }
    throw new Error(`redirects do not end: ${url}`)
  }
  const keep: Browser['keep'] = (given) => {
    for (const { name, value, path = '/' } of given) {
      if (value === '') jar.delete(name)
      else jar.set(name, { value, path })
    }
  }
  return {
    open: (url) => visit(url),
    send: (page, values) => {
      const [, action] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? []
      return visit(new URL(action ?? page.url, page.url), {
        method: 'POST',
        body: new URLSearchParams({ ...fieldsOf(page.text), ...values }),
      })
    },
    async signIn(at, inputs = passwordInputs) {
      const type = at.url.pathname.slice(1)
      expect(['login', 'signup']).toContain(type)
      const { state, cookies: set } = await driveFlow(auth, type as FlowType, inputs, {
        request: { query: at.url.search.slice(1), cookie: cookies('/') },
      })
      keep(set)
      const { finish_redirect_uri: next } = state.action.data as { finish_redirect_uri?: string }
      return visit(next ?? expect.fail('the flow leads nowhere'))
    },
    cookies,
    keep,
  }
}

/** Signs in the user of the world. */
const passwordInputs: readonly DrivenInput[] = [
  { identification: 'email', login_id: email },
  { authentication: 'primary_password', password },
]

/** An authorization request with PKCE. */
export async function authorize(
  configuration: client.Configuration,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: URL; readonly verifier: string; readonly state: string }> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  })
  return { url, verifier, state }
}
