import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { startFakeIssuer } from '../fake-issuer.fixture.ts'

describe('AD FS', () => {
  it.each([
    [{ upn: 'maya@harborlight.example' }, 'maya@harborlight.example', 'maya@harborlight.example'],
    [
      { upn: 'maya@corp', email: 'maya@harborlight.example' },
      'maya@harborlight.example',
      'maya@corp',
    ],
    [{ upn: 'CORP\\maya' }, undefined, 'CORP\\maya'],
    [{ upn: 5, email: 'maya@harborlight.example' }, 'maya@harborlight.example', undefined],
  ])('with %j has the address %s, verified: %s', async (said, email, username) => {
    const issuer = await startFakeIssuer()
    issuer.claims = said
    const settings = { discovery_document_endpoint: issuer.discoveryUrl }
    const { subject, claims } = await testClient('adfs', settings).redeem()
    expect([subject, claims.email, claims.preferred_username]).toEqual(['user-1', email, username])
  })

  it('gets the requested prompt only if it is login', async () => {
    const { discoveryUrl } = await startFakeIssuer()
    const { authorize } = testClient('adfs', { discovery_document_endpoint: discoveryUrl })
    const { searchParams } = await authorize({ prompt: ['login', 'consent'] })
    expect(searchParams.get('prompt')).toBe('login')
    expect((await authorize()).searchParams.has('prompt')).toBe(false)
  })
})
