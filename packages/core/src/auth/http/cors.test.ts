import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import { corsHeaders, isOriginAllowed, preflightAnswer } from './cors.ts'

const defaults = configWith()
const client = (redirectUris: readonly string[]) => ({
  client_id: 'web',
  redirect_uris: redirectUris,
  x_max_concurrent_session: 0,
  x_authentication_flow_allowlist: undefined,
})
const config = {
  ...defaults,
  http: {
    ...defaults.http,
    allowed_origins: ['https://one.example', 'capacitor://localhost'],
  },
  oauth: { clients: [client(['https://app.example/cb?x=1', 'com.example.app://cb', 'not a uri'])] },
}
describe('isOriginAllowed', () => {
  it.each([
    'https://auth.example.com',
    'https://app.example',
    'https://one.example',
    'capacitor://localhost',
  ])('accepts %s', (origin) => {
    expect(isOriginAllowed(config, origin)).toBe(true)
  })

  it.each([
    'http://auth.example.com',
    'https://auth.example.com:8443',
    'https://auth.example.com.evil.example',
    'https://sub.one.example',
    'http://one.example',
    'https://sub.app.example',
    'com.example.app://cb',
    'not a uri',
    'null',
    '*',
    '',
  ])('refuses %s', (origin) => {
    expect(isOriginAllowed(config, origin)).toBe(false)
  })
})

describe('the headers for browsers', () => {
  const request = (headers: Record<string, string>) =>
    new Request('https://auth.example.com/', { method: 'POST', headers })

  it('allow the origin of a page that may read the answer, and no other', () => {
    expect(corsHeaders(request({ origin: 'https://app.example' }), config)).toEqual({
      vary: 'Origin',
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
    })
    expect(corsHeaders(request({ origin: 'https://evil.example' }), config)).toEqual({
      vary: 'Origin',
    })
    expect(corsHeaders(request({}), config)).toEqual({ vary: 'Origin' })
  })

  it('allow POST with any requested headers', () => {
    const asked = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, x-one,X-Two',
    }
    expect(preflightAnswer(request(asked), config)).toEqual({
      status: 204,
      headers: {
        vary: 'Origin, Access-Control-Request-Headers',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type, x-one, X-Two',
        'access-control-max-age': '600',
      },
      body: null,
      byteLength: 0,
    })
    const denied = preflightAnswer(request({ ...asked, origin: 'https://evil.example' }), config)
    expect([denied.status, denied.headers]).toEqual([204, {}])
  })
})
