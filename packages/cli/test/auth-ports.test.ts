import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { verifyEventSignature } from '@gatehouse/core/auth'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type OidcProvider,
  startOidcProvider,
} from '../../core/src/auth/oauth-client/oidc-provider.fixture.ts'
import { runCli, type Serving } from '../src/main.fixture.ts'
import { type FlowAnswer, feed, signIn, signUp, start } from './support/auth-client.ts'
import { type AuthFolder, createAuthFolder, development, stop } from './support/auth-folder.ts'

const maya = 'maya@example.com'

let folder: AuthFolder

beforeEach(() => {
  folder = createAuthFolder()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await folder.remove()
})

const redirectUri = 'https://app.example.com/callback'

async function startProvider(): Promise<OidcProvider> {
  const provider = await startOidcProvider({ redirectUris: [redirectUri] })
  onTestFinished(() => provider.close())
  vi.stubEnv('PROVIDER_SECRET_OF_TESTS', provider.clientSecret)
  return provider
}

/** A document with an identity provider. */
const withProvider = ({ clientId: client_id, discoveryUrl }: OidcProvider) => ({
  identity: {
    oauth: {
      providers: [
        { alias: 'house', type: 'oidc', client_id, discovery_document_endpoint: discoveryUrl },
      ],
    },
  },
})

const house = {
  ...development,
  oauth: { house: { client_secret: `\${env:PROVIDER_SECRET_OF_TESTS}` } },
  oauth_client: { allow_private_addresses: true },
}

const askHouse = (url: string): Promise<FlowAnswer> =>
  start(url, 'signup_login', {
    identification: 'oauth',
    alias: 'house',
    redirect_uri: redirectUri,
  })

async function signInByHouse({ url }: Serving, provider: OidcProvider): Promise<FlowAnswer> {
  const asked = await askHouse(url)
  const { oauth_authorization_url: address } = Object(asked.result?.action.data)
  const back = await provider.signIn(String(address))
  return feed(url, asked, { query: back.search })
}

describe('an identity provider', () => {
  it('signs a user in with the secret of the file', async () => {
    const provider = await startProvider()
    folder.configure(withProvider(provider), house)
    const server = await folder.serve()
    for (const type of ['signup', 'login']) {
      const finished = await signInByHouse(server, provider)
      expect(finished.result).toMatchObject({ type, action: { type: 'finished' } })
      expect(finished.cookies.get('session')).toMatch(/^[\w-]+\.\w{32}$/)
    }
    const log = await stop(server)
    expect(log).not.toContain(provider.clientSecret)
    expect(log).not.toContain('nobody can sign in')
  })

  it('in the network of the server is refused unless the file allows it', async () => {
    const provider = await startProvider()
    folder.configure(withProvider(provider), { ...house, oauth_client: {} })
    const server = await folder.serve()
    expect(await askHouse(server.url)).toMatchObject({
      status: 500,
      reason: 'InvalidConfiguration',
    })
    expect(await stop(server)).not.toContain(provider.clientSecret)
  })

  it('without a secret is reported at the start and by check, and gets one by a reload', async () => {
    const provider = await startProvider()
    folder.configure(withProvider(provider), { ...house, oauth: {} })
    const warning = 'nobody can sign in with the identity provider "house"'
    const checked = await folder.check()
    expect(checked).toMatchObject({ exitCode: 0 })
    expect(checked.stderr).toContain(`config.json auth: ${warning}`)
    const server = await folder.serve()
    expect(await askHouse(server.url)).toMatchObject({
      status: 400,
      reason: 'OAuthProviderMissingCredentials',
    })
    folder.configure(withProvider(provider), house)
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    expect((await signInByHouse(server, provider)).result?.action.type).toBe('finished')
    const log = await stop(server)
    expect(log).toContain('nobody can sign in with the identity provider')
    expect(log).not.toContain('takes effect at the next start')
  })
})

describe('a document that needs a missing package', () => {
  const passkeys = {
    authentication: {
      identities: ['login_id', 'passkey'],
      primary_authenticators: ['password', 'passkey'],
    },
  }
  const google = {
    identity: { oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'a' }] } },
  }

  it('is refused by check, which names the packages to install', async () => {
    const hooks = new URL('./support/without-packages.mjs', import.meta.url)
    vi.stubEnv('NODE_OPTIONS', `--import=${hooks}`)
    vi.stubEnv('WITHOUT_PACKAGES', '@simplewebauthn/server,oauth4webapi')
    folder.configure({ ...passkeys, ...google }, development)
    // The option is for a process of its own.
    const { exitCode, stderr } = await runCli(['check', '--config', 'config.json'], folder.path)
    expect(exitCode).toBe(2)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /authgear\.json:1:\d+ authentication\.identities: passkey needs the package "@simplewebauthn\/server", which is not installed: npm install/,
      ),
      expect.stringMatching(
        /authgear\.json:1:\d+ identity\.oauth\.providers: need the package "oauth4webapi", which is not installed: npm install/,
      ),
    ])
    folder.configure({}, development)
    expect(await runCli(['check', '--config', 'config.json'], folder.path)).toMatchObject({
      exitCode: 0,
    })
  })

  it('is served with passkeys if their package is installed', async () => {
    folder.configure(passkeys, development)
    const server = await folder.serve()
    const asked = await signUp(server, maya)
    expect(asked.result?.action).toMatchObject({
      type: 'prompt_create_passkey',
      data: { creation_options: { rp: { id: 'localhost' } } },
    })
    expect((await feed(server.url, asked, { skip: true })).result?.action.type).toBe('finished')
  })

  it('has passkeys after a reload, too', async () => {
    folder.configure({}, development)
    const server = await folder.serve()
    folder.configure(passkeys, development)
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    expect((await signUp(server, maya)).result?.action.type).toBe('prompt_create_passkey')
  })

  it('verifies the bot protection token with the secret of the file', async () => {
    const bots = {
      bot_protection: {
        enabled: true,
        provider: { type: 'cloudflare', site_key: 'a' },
        requirements: { signup_or_login: { mode: 'always' } },
      },
    }
    folder.configure(bots, development)
    expect(await folder.check()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /authgear\.json:1:\d+ bot_protection: .*bot_protection: \{ secret_key/,
      ),
    })
    folder.configure(bots, { ...development, bot_protection: { secret_key: 's3cret' } })
    const { url } = await folder.serve()
    expect(await signIn(url, maya)).toMatchObject({ status: 400, reason: 'ValidationFailed' })
  })
})

/** A program that receives events, or answers hooks. */
interface Receiver {
  readonly url: string
  /** The received bodies, with verified signatures. */
  readonly events: { readonly type: string; readonly context: object }[]
}

async function startReceiver(secret: string, answer: object): Promise<Receiver> {
  const events: Receiver['events'] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await readText(request)
    const signature = String(request.headers['x-gatehouse-signature'])
    if (!verifyEventSignature({ body, signature }, { secret })) return response.destroy()
    events.push(JSON.parse(body))
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/?key=s3cret`, events }
}

describe('other programs', () => {
  it('receive events', async () => {
    const receiver = await startReceiver('an event secret', {})
    const events = [{ url: receiver.url, secret: 'an event secret' }]
    folder.configure({}, { ...development, events })
    const server = await folder.serve()
    await signUp(server, maya)
    await vi.waitFor(
      () => expect(receiver.events.map(({ type }) => type)).toContain('user.created'),
      { timeout: 30_000, interval: 50 },
    )
    const log = await stop(server)
    expect(log).not.toMatch(/an event secret|s3cret/)
  })

  it('can refuse an operation by a hook', async () => {
    const refusal = { is_allowed: false, title: 'Closed', reason: 'Come back tomorrow.' }
    const receiver = await startReceiver('a hook secret', refusal)
    folder.configure({}, { ...development, hook: { url: receiver.url, secret: 'a hook secret' } })
    const server = await folder.serve()
    expect(
      await start(server.url, 'login', { identification: 'email', login_id: maya }),
    ).toMatchObject({
      status: 403,
      reason: 'HookDisallowed',
    })
    expect(receiver.events[0]).toMatchObject({ type: 'authentication.pre_initialize' })
    expect(await stop(server)).not.toMatch(/a hook secret|s3cret/)
  })

  it('refuse everything if the hook fails, which is logged without a secret', async () => {
    const hook = { url: 'http://127.0.0.1:1/?key=s3cret', secret: 'a hook secret' }
    const events = [{ url: 'http://127.0.0.1:1/?key=s3cret', secret: 'an event secret' }]
    folder.configure({}, { ...development, hook, events })
    const server = await folder.serve()
    expect(await signIn(server.url, maya)).toMatchObject({
      status: 500,
      reason: 'HookDeliveryUnknownFailure',
    })
    const log = await stop(server)
    expect(log).toContain('a hook failed')
    expect(log).not.toMatch(/a hook secret|an event secret|s3cret/)
  })
})
