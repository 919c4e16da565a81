import { describe, expect, it } from 'vitest'
import { codesIn, configWith, messagesIn } from './config.fixture.ts'

const origin = 'https://auth.example.com'

describe('http', () => {
  const http = (more: object): object => ({ http: { public_origin: origin, ...more } })

  it('writes origins as browsers do', () => {
    const config = configWith({
      http: {
        public_origin: 'https://Auth.Example.com:443/',
        base_path: '/auth/',
        allowed_origins: [
          'https://app.example.com:8443',
          'http://bücher.example',
          'capacitor://localhost',
        ],
        cookie_prefix: 'my-',
        cookie_domain: 'example.com',
      },
    })
    expect(config.http).toEqual({
      public_origin: 'https://auth.example.com',
      base_path: '/auth',
      allowed_origins: [
        'https://app.example.com:8443',
        'http://xn--bcher-kva.example',
        'capacitor://localhost',
      ],
      cookie_prefix: 'my-',
      cookie_domain: 'example.com',
      allow_insecure: false,
    })
  })

  it.each([
    'https://auth.example.com/path',
    'https://auth.example.com?x',
    'https://user:pass@auth.example.com',
    'ftp://auth.example.com',
    'javascript:alert(1)',
    'https://',
    '',
  ])('does not take %j for an origin', (public_origin) => {
    expect(codesIn({ http: { public_origin } })).toEqual(['http.public_origin out_of_range'])
    expect(codesIn(http({ allowed_origins: [public_origin] })).join()).toMatch(
      public_origin.startsWith('ftp:') ? /^$/ : /^http\.allowed_origins\[0\] out_of_range$/,
    )
  })

  it('refuses what cannot be a prefix, a domain or a path', () => {
    const wrong = {
      cookie_prefix: 'a=b;',
      cookie_domain: 'exa mple.com',
      base_path: '/../x',
    }
    expect(codesIn(http(wrong))).toEqual([
      'http.cookie_prefix out_of_range',
      'http.cookie_domain out_of_range',
      'http.base_path out_of_range',
    ])
    expect(codesIn(http({ cookie_domain: 'ample.com' }))).toEqual(['http.cookie_domain conflict'])
    expect(codesIn(http({ cookie_domain: 'AUTH.example.com' }))).toEqual([])
  })

  it('says where proxies are trusted', () => {
    expect(messagesIn(http({ trust_proxy: 1 }))).toEqual([
      expect.stringMatching(
        /^http\.trust_proxy: .*trustedProxies of the adapter, or trusted_proxies/,
      ),
    ])
  })

  it('warns of an origin that no secure request can have', () => {
    const insecure = { public_origin: 'http://auth.example.com' }
    expect(configWith({ http: insecure }).warnings).toEqual([
      expect.stringMatching(/^http\.public_origin: .*trusted_proxies.*allow_insecure$/),
    ])
    expect(configWith({ http: { ...insecure, allow_insecure: true } }).warnings).toEqual([])
  })

  it.each(['http://localhost:4000', 'http://127.0.0.1', 'http://[::1]:4000'])(
    'warns once that %s is for development',
    (public_origin) => {
      expect(configWith({ http: { public_origin } }).warnings).toEqual([
        expect.stringMatching(/^http\.public_origin: .*for development.*NODE_ENV=production$/),
      ])
    },
  )
})
