import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { type FakeIssuer, startFakeIssuer } from '../fake-issuer.fixture.ts'

const clientOf = ({ origin }: FakeIssuer) => {
  const endpoints = { linkedin: { token: `${origin}/token`, jwks: `${origin}/jwks` } }
  return testClient('linkedin', {}, { endpoints })
}

describe('LinkedIn', () => {
  it('has an authorization URL without PKCE', async () => {
    const asked = { prompt: ['login'], response_mode: 'form_post' } as const
    const url = await testClient('linkedin').authorize(asked)
    expect(url.origin + url.pathname).toBe('https://www.linkedin.com/oauth/v2/authorization')
    expect([...url.searchParams.keys()]).toEqual([
      'client_id',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
    ])
  })

  it.each(['https://www.linkedin.com/oauth', 'https://www.linkedin.com'])(
    'signs ID tokens as %s, without a nonce',
    async (iss) => {
      const issuer = await startFakeIssuer()
      const locale = { country: 'GB', language: 'en' }
      const email = { email: 'maya@harborlight.example', email_verified: 'true' }
      issuer.claims = { iss, nonce: undefined, locale, ...email }
      expect(await clientOf(issuer).redeem()).toMatchObject({
        subject: 'user-1',
        claims: { email: 'maya@harborlight.example', email_verified: true, locale: 'en-GB' },
      })
      expect(issuer.requests[0]?.form.has('code_verifier')).toBe(false)
    },
  )

  it('is refused with another nonce in the ID token', async () => {
    const issuer = await startFakeIssuer()
    issuer.claims = { iss: 'https://www.linkedin.com/oauth', nonce: 'another' }
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
      message: 'the ID token has the wrong "nonce"',
    })
  })

  it('has locales as texts too', async () => {
    const issuer = await startFakeIssuer()
    issuer.claims = { iss: 'https://www.linkedin.com/oauth', locale: 'de_DE' }
    expect((await clientOf(issuer).redeem()).claims.locale).toBe('de_DE')
  })
})
