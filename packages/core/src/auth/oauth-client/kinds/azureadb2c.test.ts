import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { documentOf, type FakeIssuer, startFakeIssuer } from '../fake-issuer.fixture.ts'
import { azureadb2c } from './azureadb2c.ts'

const wellKnown = '/harborlight.onmicrosoft.com/B2C_1_signin/v2.0/.well-known/openid-configuration'

async function startDirectory(): Promise<FakeIssuer> {
  const issuer = await startFakeIssuer()
  const json = { ...documentOf(issuer.origin), issuer: `${issuer.origin}/775527ff/v2.0/` }
  issuer.answer(wellKnown, { json })
  issuer.claims = { iss: `${issuer.origin}/775527ff/v2.0/` }
  return issuer
}

const clientOf = ({ origin }: FakeIssuer) =>
  testClient('azureadb2c', {}, { endpoints: { azureadb2c: { discovery: origin + wellKnown } } })

describe('Azure AD B2C', () => {
  it('has a discovery document for each policy', () => {
    const { provider } = testClient('azureadb2c', { tenant: 'harborlight', policy: 'B2C_1_signin' })
    expect(azureadb2c.endpoints(provider)).toEqual({
      discovery:
        'https://harborlight.b2clogin.com/harborlight.onmicrosoft.com/B2C_1_signin/v2.0/.well-known/openid-configuration',
    })
  })

  it('is asked only for an ID token, and understands one prompt', async () => {
    const { authorize } = clientOf(await startDirectory())
    const { searchParams } = await authorize({ prompt: ['login', 'consent'] })
    expect(searchParams.get('scope')).toBe('openid')
    expect(searchParams.get('prompt')).toBe('login')
    expect((await authorize()).searchParams.has('prompt')).toBe(false)
  })

  it.each([
    [['maya@harborlight.example', 'second@harborlight.example'], 'maya@harborlight.example'],
    [[], undefined],
    ['maya@harborlight.example', undefined],
    [[5], undefined],
    [undefined, undefined],
  ])('with the addresses %j has the address %s', async (emails, email) => {
    const issuer = await startDirectory()
    issuer.claims = { ...issuer.claims, emails, given_name: 'Maya' }
    const { subject, claims } = await clientOf(issuer).redeem()
    expect([subject, claims.email, claims.given_name]).toEqual(['user-1', email, 'Maya'])
  })

  it('refuses a document of an issuer elsewhere', async () => {
    const issuer = await startDirectory()
    const json = { ...documentOf(issuer.origin), issuer: 'https://evil.example/775527ff/v2.0/' }
    issuer.answer(wellKnown, { json })
    await expect(clientOf(issuer).authorize()).rejects.toMatchObject({
      message: 'the discovery document belongs to another issuer',
    })
  })
})
