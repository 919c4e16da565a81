import { createTokenVerifier } from '@gatehouse/core/auth'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { withToken } from './with-token.ts'

it('a handler gets the claims of an access token, and no request without one', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const issuer = 'https://auth.example.com'
  const verifier = createTokenVerifier({
    issuer,
    audience: 'https://api.example.com',
    keys: () => [{ ...jwk, kty: 'EC' }],
  })
  const GET = withToken(
    verifier,
    (request, { sub }, { params }: { readonly params: string }) =>
      Response.json([request.method, sub, params]),
    { scope: 'orders:read' },
  )
  const ask = async (scope: string) => {
    const token = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience('https://api.example.com')
      .setSubject('maya')
      .setExpirationTime('5m')
      .sign(privateKey)
    const headers = { authorization: `Bearer ${token}` }
    return GET(new Request('https://api.example.com/orders', { headers }), { params: 'p' })
  }
  expect(await (await ask('orders:read')).json()).toEqual(['GET', 'maya', 'p'])
  const refused = await ask('orders:write')
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('insufficient_scope'),
  ])
  const none = await GET(new Request('https://api.example.com/orders'), { params: 'p' })
  expect(none.status).toBe(401)
})
