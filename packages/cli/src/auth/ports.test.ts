import { readAuthConfig } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AuthPortSettings, createAuthPorts, createLastingPorts } from './ports.ts'

const configOf = (parts: object = {}) =>
  readAuthConfig({ id: 'a', http: { public_origin: 'https://a.example' }, ...parts })
const settings: AuthPortSettings = {
  credentials: {},
  allowPrivateAddresses: false,
  oauthTimeoutMs: 1_000,
  botSecretKey: undefined,
  ldap: {},
}
const [provider] = configOf({
  identity: { oauth: { providers: [{ alias: 'g', type: 'github', client_id: 'a' }] } },
}).identity.oauth.providers
if (provider === undefined) throw new Error('no such provider')

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('createAuthPorts()', () => {
  it.each([
    ['cloudflare', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
    ['recaptchav2', 'https://www.google.com/recaptcha/api/siteverify'],
  ])('verifies by %s that a client is not a bot', async (type, url) => {
    const asked: [string, URLSearchParams][] = []
    vi.stubGlobal('fetch', async (target: string, { body }: { body: string }) => {
      asked.push([target, new URLSearchParams(body)])
      return Response.json({ success: true })
    })
    const config = configOf({ bot_protection: { enabled: true, provider: { type } } })
    const ports = createAuthPorts(config, { ...settings, botSecretKey: 'a key' }, undefined)
    const given = { response: 'from the browser', ip: '192.0.2.1' }
    expect(await ports.botVerifier?.verify(given)).toBe('passed')
    expect(asked.map(([target]) => target)).toEqual([url])
    expect(asked[0]?.[1].get('secret')).toBe('a key')
  })

  it('has no ports that the document does not need', () => {
    expect(createAuthPorts(configOf(), settings, undefined)).toMatchObject({
      passkeys: undefined,
      botVerifier: undefined,
    })
  })
})

describe('createLastingPorts()', () => {
  const portsOf = (given: Partial<AuthPortSettings> = {}, passkeys = false) =>
    createAuthPorts(
      configOf({ bot_protection: { provider: { type: 'cloudflare' } } }),
      { ...settings, ...given },
      passkeys ? createPasskeys() : undefined,
    )
  const party = { rp_id: 'a.example', rp_name: 'a', origins: ['https://a.example'] }

  it('delegates to the latest ports', async () => {
    const lasting = createLastingPorts(portsOf())
    const { oauth, botVerifier } = lasting.ports
    expect(oauth.status(provider)).toBe('missing_credentials')
    expect(() => botVerifier.verify({ response: 'a', ip: '192.0.2.1' })).toThrow(TypeError)
    lasting.replace(portsOf({ credentials: { g: { clientSecret: 'a' } }, botSecretKey: 'a key' }))
    expect(oauth.status(provider)).toBe('active')
    const url = await oauth.authorizationUrl(provider, {
      redirect_uri: 'https://a.example/back',
      prompt: [],
      nonce: 'a nonce',
      code_challenge: 'a challenge',
    })
    expect(url).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
    expect(await botVerifier.verify({ response: '', ip: '192.0.2.1' })).toBe('failed')
  })

  it('keeps the passkey verifier, for flows in progress', async () => {
    const lasting = createLastingPorts(portsOf())
    const { passkeys } = lasting.ports
    expect(() => passkeys.requestOptions(party, { challenge: 'a' })).toThrow(TypeError)
    lasting.replace(portsOf({}, true))
    lasting.replace(portsOf())
    expect(passkeys.requestOptions(party, { challenge: 'a' })).toMatchObject({ rpId: 'a.example' })
    const user = { id: 'u', name: 'Maya', display_name: 'Maya' }
    const options = passkeys.creationOptions(party, { challenge: 'a', user, exclude: [] })
    expect(options).toMatchObject({ rp: { id: 'a.example' } })
    const given = { challenge: 'a', response: {} }
    expect(await passkeys.verifyCreation(party, given)).toBe(undefined)
    const passkey = {
      credential_id: 'a',
      public_key: 'b',
      sign_count: 0,
      transports: [],
      aaguid: 'c',
      is_backed_up: false,
    }
    expect(await passkeys.verifyAssertion(party, { ...given, passkey })).toBe(undefined)
  })
})
