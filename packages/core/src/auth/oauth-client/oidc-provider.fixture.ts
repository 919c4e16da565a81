import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Configuration, Provider } from 'oidc-provider'
import { vi } from 'vitest'
import type { Json } from '../../storage/storage.ts'
import { followSignIn } from './follow-sign-in.fixture.ts'

/** An account at a provider: its claims. */
export interface OidcAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly [claim: string]: Json | undefined
}

/** Options of {@link startOidcProvider}. */
export interface OidcProviderOptions {
  /** The allowed redirect URIs (default `https://app.example.com/callback`). */
  readonly redirectUris?: readonly string[]
  /** The account that signs in by default (default: Maya, whose address is verified). */
  readonly account?: OidcAccount
  /** Whether a page with one button, `Sign in`, comes before the sign-in (default: no page). */
  readonly interactive?: boolean
  /** The only client authentication that it accepts (default `client_secret_basic`). */
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post'
  /** Whether ID tokens contain claims too, not only the user-info endpoint (default `false`). */
  readonly claimsInIdToken?: boolean
}

/** An OpenID provider on this machine. */
export interface OidcProvider {
  /** For example `http://127.0.0.1:34567`. */
  readonly issuer: string
  readonly discoveryUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * Signs in like a browser at the provider, with the given account or the default one.
   *
   * @returns the callback URL with the code; a posted form is in the query as well.
   */
  signIn(authorizationUrl: string, account?: OidcAccount): Promise<URL>
  close(): Promise<void>
}

const maya: OidcAccount = {
  sub: 'maya-7',
  email: 'maya@harborlight.example',
  email_verified: true,
  name: 'Maya Quill',
  given_name: 'Maya',
  family_name: 'Quill',
  locale: 'en-GB',
  picture: 'https://pictures.example/maya.png',
}
const clientId = 'gatehouse'
const clientSecret = 'a secret/of: the+client & its provider'
const scopes = 'openid profile email'

/** Starts a provider with one client: the package oidc-provider on the loopback interface, at a free port. */
export async function startOidcProvider(options: OidcProviderOptions = {}): Promise<OidcProvider> {
  const { account = maya, interactive = false } = options
  const accounts = new Map([[account.sub, account]])
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createProvider(issuer, options, accounts)
  const handle = provider.callback()

  const answerInteraction = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const isAsked = request.method === 'GET' && interactive
    if (isAsked) return void response.setHeader('content-type', 'text/html').end(signInPage)
    const accountId = new URLSearchParams(await readText(request)).get('sub') ?? account.sub
    await provider.interactionFinished(request, response, {
      login: { accountId },
      select_account: {},
    })
  }

  server.on('request', (request, response) => {
    const isInteraction = request.url?.startsWith('/interaction/') === true
    const answered = isInteraction
      ? answerInteraction(request, response)
      : handle(request, response)
    answered.catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    signIn(authorizationUrl, as = account) {
      accounts.set(as.sub, as)
      return followSignIn(authorizationUrl, issuer, as.sub)
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const signInPage = `<!doctype html>
<html lang="en">
<title>Sign in</title>
<form method="post"><button type="submit">Sign in</button></form>
</html>`

let knownKey: Promise<JWK> | undefined

/** All providers of a file have the same key: to make one of RSA takes longer than most tests. */
async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
}

async function createProvider(
  issuer: string,
  { redirectUris = ['https://app.example.com/callback'], ...options }: OidcProviderOptions,
  accounts: ReadonlyMap<string, OidcAccount>,
): Promise<Provider> {
  // It warns that it is not a provider for production, and about versions of Node.js.
  const muted = (['warn', 'info'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation(() => undefined),
  )
  const { Provider: OidcProviderClass, interactionPolicy } = await import('oidc-provider')
  knownKey ??= makeKey()
  const policy = interactionPolicy.base()
  // Requests to Google always have this prompt.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  const { clientAuthentication = 'client_secret_basic' } = options
  const configuration: Configuration = {
    clientAuthMethods: [clientAuthentication],
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: clientAuthentication,
      },
    ],
    jwks: { keys: [await knownKey] },
    cookies: { keys: ['key of cookies'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'locale', 'picture', 'preferred_username'],
    },
    conformIdTokenClaims: options.claimsInIdToken !== true,
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => accounts.get(sub) ?? { sub },
    }),
    loadExistingGrant: ({ oidc }) => grantAll(provider, oidc.session?.accountId ?? ''),
  }
  const provider = new OidcProviderClass(issuer, configuration)
  for (const mock of muted) mock.mockRestore()
  return provider
}

/** Grants everything without asking for consent. */
async function grantAll(
  provider: Provider,
  accountId: string,
): Promise<InstanceType<Provider['Grant']>> {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scopes)
  await grant.save()
  return grant
}
