import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { documentOf, type FakeIssuer, startFakeIssuer } from '../fake-issuer.fixture.ts'
import type { OAuthProviderConfig } from '../oauth-provider.ts'
import { azureadv2 } from './azureadv2.ts'

const tenantId = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const wellKnown = '/common/v2.0/.well-known/openid-configuration'

/** A directory whose document names this issuer, below its origin. */
async function startDirectory(issuerPath: string): Promise<FakeIssuer> {
  const issuer = await startFakeIssuer()
  const json = { ...documentOf(issuer.origin), issuer: issuer.origin + issuerPath }
  issuer.answer(wellKnown, { json })
  return issuer
}

const clientOf = ({ origin }: FakeIssuer, settings: Partial<OAuthProviderConfig> = {}) => {
  const endpoints = { azureadv2: { discovery: origin + wellKnown } }
  return testClient('azureadv2', { tenant: 'common', ...settings }, { endpoints })
}

const anyTenant = '/{tenantid}/v2.0'
const refusedIssuer = {
  reason: 'OAuthProtocolError',
  message: 'the ID token has the wrong "iss"',
}

describe('Entra ID', () => {
  it('has a discovery document for each tenant', () => {
    const { provider } = testClient('azureadv2', { tenant: 'harborlight.onmicrosoft.com' })
    expect(azureadv2.endpoints(provider)).toEqual({
      discovery:
        'https://login.microsoftonline.com/harborlight.onmicrosoft.com/v2.0/.well-known/openid-configuration',
    })
  })

  it('gets only the requested prompt', async () => {
    const { authorize } = clientOf(await startDirectory(anyTenant))
    expect((await authorize({ prompt: ['login'] })).searchParams.get('prompt')).toBe('login')
    expect((await authorize()).searchParams.has('prompt')).toBe(false)
    const { searchParams } = await authorize({ response_mode: 'form_post' })
    expect(searchParams.get('response_mode')).toBe('form_post')
  })

  it('accepts users of any tenant, each with their own issuer', async () => {
    const issuer = await startDirectory(anyTenant)
    issuer.claims = {
      iss: `${issuer.origin}/${tenantId}/v2.0`,
      tid: tenantId,
      oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
      preferred_username: 'maya@harborlight.example',
    }
    expect(await clientOf(issuer).redeem()).toMatchObject({
      subject: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
      claims: { preferred_username: 'maya@harborlight.example' },
    })
    expect(issuer.requests.map(({ path }) => path)).not.toContain('/me')
    expect(issuer.requests.at(-2)?.form.get('client_secret')).toBe('secret-1')
  })

  it.each([
    ['a tenant other than its issuer', { tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }],
    ['no tenant', { tid: undefined }],
    ['a malformed tenant', { tid: '../x' }],
    ['any tenant', { tid: '{tenantid}' }],
  ])('is refused with %s', async (_, claims) => {
    const issuer = await startDirectory(anyTenant)
    issuer.claims = { iss: `${issuer.origin}/${tenantId}/v2.0`, oid: '1', ...claims }
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject(refusedIssuer)
  })

  it('refuses users of other tenants if one is configured', async () => {
    const issuer = await startDirectory(`/${tenantId}/v2.0`)
    const other = '9188040d-6c67-4c5b-b112-36a304b66dad'
    issuer.claims = { iss: `${issuer.origin}/${other}/v2.0`, tid: other, oid: '1' }
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject(refusedIssuer)
    issuer.claims = { iss: `${issuer.origin}/${tenantId}/v2.0`, tid: tenantId, oid: '1' }
    expect(await clientOf(issuer).redeem()).toMatchObject({ subject: '1' })
  })

  it.each(['/common/v2.0', '/v2.0', `/${tenantId}/v1.0`, `/${tenantId}/v2.0/x`])(
    'refuses a document of the issuer %s',
    async (path) => {
      await expect(clientOf(await startDirectory(path)).authorize()).rejects.toMatchObject({
        message: 'the discovery document belongs to another issuer',
      })
    },
  )

  it('refuses a document of an issuer elsewhere', () => {
    const issuer = `https://evil.example/${tenantId}/v2.0`
    expect(azureadv2.isDocumentOf(issuer, `https://login.microsoftonline.com${wellKnown}`)).toBe(
      false,
    )
  })

  it('needs the object id of the user', async () => {
    const issuer = await startDirectory(`/${tenantId}/v2.0`)
    issuer.claims = { iss: `${issuer.origin}/${tenantId}/v2.0`, tid: tenantId }
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
      message: 'the identity provider did not name the user',
    })
  })

  it.each([
    [undefined, undefined],
    [true, true],
    ['1', true],
    [1, true],
    [false, false],
    ['0', false],
    [0, false],
  ])('with xms_edov %j has the verification %j for an address', async (xms_edov, expected) => {
    const issuer = await startDirectory(`/${tenantId}/v2.0`)
    const iss = `${issuer.origin}/${tenantId}/v2.0`
    issuer.claims = { iss, tid: tenantId, oid: '1', email: 'maya@harborlight.example', xms_edov }
    expect((await clientOf(issuer).redeem()).claims.email_verified).toBe(expected)
  })

  it('does not predict the issuer of an answer', async () => {
    const issuer = await startDirectory(anyTenant)
    const iss = `${issuer.origin}/${tenantId}/v2.0`
    issuer.claims = { iss, tid: tenantId, oid: '1' }
    expect(await clientOf(issuer).redeem({ query: `iss=${iss}` })).toMatchObject({ subject: '1' })
  })
})
