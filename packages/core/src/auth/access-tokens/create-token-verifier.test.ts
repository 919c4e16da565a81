import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../../../../store-memory/src/index.ts'
import { createTokenVerifier } from './create-token-verifier.ts'
import type { TokenCheck } from './token-verifier.ts'
import {
  audience,
  clientKey,
  createTestKey,
  issuer,
  jkt,
  key,
  requestWith,
  signBoundToken,
  signProof,
  signToken,
  startedAt,
  type TokenChanges,
  testVerifier,
} from './tokens.fixture.ts'

/** The claims, or the reason and the message of the refusal. */
const outcome = async (
  check: TokenCheck,
  { verifier } = testVerifier(),
): Promise<readonly unknown[]> =>
  verifier.verifyToken(check).then(
    ({ sub }) => [sub],
    ({ reason, message }) => [reason, message],
  )

const invalid = (problem: string) => ['InvalidToken', `the access token ${problem}`]

describe('an access token', () => {
  it('is accepted with its claims, from a request or alone', async () => {
    const { verifier } = testVerifier()
    const token = await signToken({ claims: { org: 'harbor' } })
    const request = requestWith({ authorization: `bearer  ${token}` })
    for (const check of [{ token }, { request }, { request, scope: 'orders:read' }]) {
      expect(await verifier.verifyToken(check)).toMatchObject({
        iss: issuer,
        sub: 'user-1',
        aud: audience,
        exp: startedAt + 300,
        client_id: 'client-1',
        org: 'harbor',
      })
    }
  })

  it('may be signed with RS256, and have the long form of its type', async () => {
    const rsa = await createTestKey('rsa', 'RS256')
    const { alg: _alg, use: _use, ...bare } = rsa.jwk
    const world = testVerifier({ keys: async () => [key.jwk, bare] })
    const token = await signToken({ by: rsa, header: { typ: 'application/at+jwt' } })
    expect(await outcome({ token }, world)).toEqual(['user-1'])
  })

  it.each<[string, TokenChanges, string]>([
    ['an ID token', { header: { typ: 'JWT' } }, 'has another type than at+jwt'],
    ['of no type', { header: { typ: undefined } }, 'has another type than at+jwt'],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'is of another issuer'],
    ['of almost this issuer', { claims: { iss: `${issuer}/` } }, 'is of another issuer'],
    ['for another API', { claims: { aud: 'https://other.example' } }, 'is for another audience'],
    ['for no API', { claims: { aud: [] } }, 'is for another audience'],
    [
      'without an audience',
      { claims: { aud: undefined } },
      'lacks one of the claims iss, sub, aud and exp',
    ],
    [
      'without an end',
      { claims: { exp: undefined } },
      'lacks one of the claims iss, sub, aud and exp',
    ],
    [
      'with an end as text',
      { claims: { exp: '9999999999' } },
      'lacks one of the claims iss, sub, aud and exp',
    ],
    ['without a subject', { claims: { sub: '' } }, 'lacks one of the claims iss, sub, aud and exp'],
    ['of the future', { claims: { nbf: startedAt + 31 } }, 'has expired, or is not valid yet'],
    ['with a start as text', { claims: { nbf: 'now' } }, 'has expired, or is not valid yet'],
    [
      'that names an unknown key',
      { header: { kid: 'k2' } },
      'is not signed by a key of the issuer',
    ],
    [
      'bound by a certificate',
      { claims: { cnf: { 'x5t#S256': 'x' } } },
      'is bound to its sender in an unknown way',
    ],
    ['bound by a text', { claims: { cnf: 'x' } }, 'is bound to its sender in an unknown way'],
  ])('%s is refused', async (_, changes, problem) => {
    expect(await outcome({ token: await signToken(changes) })).toEqual(invalid(problem))
  })

  it('ends at its end, with 30 seconds for clocks that differ', async () => {
    const world = testVerifier()
    const token = await signToken()
    world.clock.advance(329_000)
    expect(await outcome({ token }, world)).toEqual(['user-1'])
    world.clock.advance(1_000)
    expect(await outcome({ token }, world)).toEqual(invalid('has expired, or is not valid yet'))
  })

  it('without a signature, or with one that others can make, is refused', async () => {
    const claims = { iss: issuer, aud: audience, sub: 'user-1', exp: startedAt + 300 }
    const [, body] = new UnsecuredJWT(claims).encode().split('.')
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = part({ alg: 'none', typ: 'at+jwt' })
    expect(await outcome({ token: `${none}.${body}.` })).toEqual(invalid('is not a signed JWT'))
    const wrongAlgorithm = invalid('is signed by another algorithm than ES256 and RS256')
    expect(await outcome({ token: `${none}.${body}.AA` })).toEqual(wrongAlgorithm)
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })
      .sign(new TextEncoder().encode(JSON.stringify(key.jwk)))
    expect(await outcome({ token: confused })).toEqual(wrongAlgorithm)
    // The header says ES256, as the key does.
    const [, , signature] = confused.split('.')
    const lied = `${part({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })}.${body}.${signature}`
    const notSigned = invalid('is not signed by a key of the issuer')
    expect(await outcome({ token: lied })).toEqual(notSigned)
    const stranger = { ...(await createTestKey('k1')) }
    expect(await outcome({ token: await signToken({ by: stranger }) })).toEqual(notSigned)
    const { privateKey } = await generateKeyPair('ES256')
    const own = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1', jwk: stranger.jwk as object })
      .sign(privateKey)
    expect(await outcome({ token: own })).toEqual(notSigned)
  })

  it('that the app knows to be revoked is refused', async () => {
    const world = testVerifier({ isRevoked: async ({ jti }) => jti === 'stolen' })
    const token = await signToken({ claims: { jti: 'stolen' } })
    expect(await outcome({ token }, world)).toEqual(invalid('was revoked'))
    expect(await outcome({ token: await signToken() }, world)).toEqual(['user-1'])
  })

  it('that is changed is refused', async () => {
    const [head, body = '', tail] = (await signToken()).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')
    expect(await outcome({ token: `${head}.${other}.${tail}` })).toEqual(
      invalid('is not signed by a key of the issuer'),
    )
  })

  it.each<[string, () => string | Promise<string>]>([
    ['empty', () => ''],
    ['not a JWT', () => 'a.b'],
    ['of junk', () => 'e30.e30.\u0000'],
    ['of a list', () => `${Buffer.from('[]').toString('base64url')}.e30.AA`],
    ['with an unknown extension', () => signToken({ header: { crit: ['b64'], b64: true } })],
    ['too long', () => signToken({ claims: { pad: 'x'.repeat(17_000) } })],
    ['too deep', () => signToken({ claims: { pad: JSON.parse('['.repeat(40) + ']'.repeat(40)) } })],
    ['very long', () => `${'a'.repeat(5_000_000)}.b.c`],
  ])('that is %s is refused', async (_, make) => {
    expect(await outcome({ token: await make() })).toEqual(invalid('is not a signed JWT'))
  })

  it('is not needed where none is sent', async () => {
    for (const headers of [{}, { authorization: 'Basic bWF5YTp4' }, { cookie: 'session=x' }]) {
      expect(await outcome({ request: requestWith(headers as Record<string, string>) })).toEqual([
        'NotAuthenticated',
        'send an access token',
      ])
    }
  })
})

describe('the demands on an access token', () => {
  it('are scopes, all of them', async () => {
    const { verifier } = testVerifier()
    const token = await signToken()
    for (const scope of [['orders:read'], 'orders:write  orders:read', '', []]) {
      expect(await verifier.verifyToken({ token, scope })).toMatchObject({ sub: 'user-1' })
    }
    await expect(
      verifier.verifyToken({ token, scope: ['orders:read', 'orders:delete', 'orders'] }),
    ).rejects.toMatchObject({
      kind: 'Forbidden',
      reason: 'InsufficientScope',
      info: { missing: ['orders:delete', 'orders'] },
    })
    for (const scope of [undefined, 5, ['orders:read']]) {
      const odd = await signToken({ claims: { scope } })
      expect(await outcome({ token: odd, scope: 'orders:read' })).toContain('InsufficientScope')
    }
  })

  it('are audiences, one of them', async () => {
    const token = await signToken({ claims: { aud: ['a', 'b'] } })
    expect(await outcome({ token, audience: ['b', 'c'] })).toEqual(['user-1'])
    expect(await outcome({ token, audience: 'a' })).toEqual(['user-1'])
    expect(await outcome({ token, audience: 'c' })).toEqual(invalid('is for another audience'))
    expect(await outcome({ token })).toEqual(invalid('is for another audience'))
  })

  it('must name an audience: every token of the issuer would do otherwise', async () => {
    const { verifier } = testVerifier({ audience: undefined as never })
    const token = await signToken()
    for (const check of [{ token }, { token, audience: [] }]) {
      await expect(verifier.verifyToken(check)).rejects.toMatchObject({
        reason: 'InvalidInput',
        info: { path: 'check.audience' },
      })
    }
    expect(await verifier.verifyToken({ token, audience })).toMatchObject({ sub: 'user-1' })
  })
})

describe('a token that is bound to a key', () => {
  const withProof = async (changes: TokenChanges = {}, url?: string): Promise<TokenCheck> => {
    const token = await signBoundToken()
    const dpop = await signProof(token, changes)
    return { request: requestWith({ authorization: `DPoP ${token}`, dpop }, url) }
  }

  it('is accepted with a proof by that key, once', async () => {
    const world = testVerifier()
    const check = await withProof()
    expect(await outcome(check, world)).toEqual(['user-1'])
    const again = ['InvalidDpopProof', 'the DPoP proof was used before']
    expect(await outcome(check, world)).toEqual(again)
    expect(await outcome(await withProof({ claims: { jti: 'proof-2' } }), world)).toEqual([
      'user-1',
    ])
    world.clock.advance(60_000)
    expect(await outcome(check, world)).toEqual(again)
    world.clock.advance(1)
    expect((await outcome(check, world))[1]).toContain('within the last minute')
  })

  it('is accepted once by all processes with one storage', async () => {
    const storage = createMemoryStorage({ clock: testVerifier().clock })
    const check = await withProof()
    const found = await Promise.all(
      [1, 2, 3, 4].map(() => outcome(check, testVerifier({ storage }))),
    )
    expect(found.filter(([sub]) => sub === 'user-1')).toHaveLength(1)
    expect(found.filter(([reason]) => reason === 'InvalidDpopProof')).toHaveLength(3)
    await storage.close()
    const later = await withProof({ claims: { jti: 'proof-2' } })
    expect((await outcome(later, testVerifier({ storage })))[0]).toBe('TokenVerifierUnavailable')
  })

  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('may be bound to a key for %s', async (alg) => {
    const by = await createTestKey('c', alg)
    const { calculateJwkThumbprint } = await import('jose')
    const cnf = { jkt: await calculateJwkThumbprint(by.jwk as object) }
    const token = await signToken({ claims: { cnf } })
    const dpop = await signProof(token, { by })
    const request = requestWith({ authorization: `DPoP ${token}`, dpop })
    expect(await outcome({ request })).toEqual(['user-1'])
  })

  it('is refused as a bearer token, with a proof or without', async () => {
    const token = await signBoundToken()
    const dpop = await signProof(token)
    const refused = invalid('is bound to a key: use the scheme DPoP, and send a proof')
    expect(await outcome({ token })).toEqual(refused)
    const headers = { authorization: `Bearer ${token}` }
    expect(await outcome({ request: requestWith(headers) })).toEqual(refused)
    expect(await outcome({ request: requestWith({ ...headers, dpop }) })).toEqual(refused)
  })

  it('is needed by the scheme DPoP', async () => {
    const request = requestWith({ authorization: `DPoP ${await signToken()}` })
    expect(await outcome({ request })).toEqual(
      invalid('is not bound to a key: use the scheme Bearer'),
    )
  })

  it.each<[string, TokenChanges, string]>([
    ['of another type', { header: { typ: 'JWT' } }, 'has another type than dpop+jwt'],
    ['for another method', { claims: { htm: 'POST' } }, 'is for another method'],
    ['for another path', { claims: { htu: `${audience}/admin` } }, 'is for another URL'],
    ['for another host', { claims: { htu: 'https://evil.example/orders' } }, 'is for another URL'],
    [
      'for another scheme',
      { claims: { htu: 'http://api.example.com/orders' } },
      'is for another URL',
    ],
    ['without a URL', { claims: { htu: undefined } }, 'is for another URL'],
    ['for another token', { claims: { ath: 'x' } }, 'is for another access token'],
    ['without a token', { claims: { ath: undefined } }, 'is for another access token'],
    ['that is old', { claims: { iat: startedAt - 61 } }, 'was not made within the last minute'],
    ['of the future', { claims: { iat: startedAt + 61 } }, 'was not made within the last minute'],
    ['without a time', { claims: { iat: undefined } }, 'was not made within the last minute'],
    ['without an identifier', { claims: { jti: undefined } }, 'lacks an identifier'],
    ['with a long identifier', { claims: { jti: 'x'.repeat(257) } }, 'lacks an identifier'],
    ['without a key', { header: { jwk: undefined } }, 'lacks a public key'],
    ['with a private key', { header: { jwk: { ...clientKey.jwk, d: 'x' } } }, 'lacks a public key'],
    ['by the key of the issuer', { by: key }, 'is by another key than that of the token'],
    [
      'that names the key, and is by another',
      { by: key, header: { jwk: clientKey.jwk } },
      'has a wrong signature',
    ],
  ])('is refused with a proof %s', async (_, changes, problem) => {
    expect(await outcome(await withProof(changes))).toEqual([
      'InvalidDpopProof',
      `the DPoP proof ${problem}`,
    ])
  })

  it('is refused without a proof, and with two', async () => {
    const authorization = `DPoP ${await signBoundToken()}`
    const missing = ['InvalidDpopProof', 'the DPoP proof is missing, or not one signed JWT']
    expect(await outcome({ request: requestWith({ authorization }) })).toEqual(missing)
    const { request } = await withProof()
    const two = new Headers({ authorization })
    two.append('dpop', request?.headers.get('dpop') ?? '')
    two.append('dpop', request?.headers.get('dpop') ?? '')
    const check = { request: { method: 'GET', url: `${audience}/orders`, headers: two } }
    expect(await outcome(check)).toEqual(missing)
  })

  it('does not believe the header Host, which is what a proxy or an attacker says', async () => {
    expect(await outcome(await withProof({}, 'http://10.0.0.7:8080/orders?x=1'))).toEqual([
      'user-1',
    ])
    const { request } = await withProof()
    const path = { method: 'GET', url: '/orders?x=1', headers: request?.headers ?? new Headers() }
    expect(await outcome({ request: path })).toEqual(['user-1'])
    const evil = { claims: { htu: 'https://evil.example/orders' } }
    const check = await withProof(evil, 'https://evil.example/orders')
    expect((await outcome(check))[1]).toContain('is for another URL')
  })

  it('names the origin of the options, or that of the request where the audience is no URL', async () => {
    const token = await signToken({ claims: { cnf: { jkt }, aud: 'orders' } })
    const ask = async (htu: string, check: Partial<TokenCheck>) => {
      const dpop = await signProof(token, { claims: { htu } })
      const request = requestWith(
        { authorization: `DPoP ${token}`, dpop },
        'http://inner:81/orders',
      )
      return outcome({ request, audience: 'orders', ...check })
    }
    expect(await ask('http://inner:81/orders', {})).toEqual(['user-1'])
    expect(
      await ask('https://shop.example/orders#top', { origin: 'https://shop.example' }),
    ).toEqual(['user-1'])
    expect(await ask('http://inner:81/orders', { origin: 'https://shop.example' })).toContain(
      'InvalidDpopProof',
    )
  })
})

describe('the options of a verifier', () => {
  it.each<[string, object]>([
    ['issuer', { issuer: undefined }],
    ['issuer', { issuer: 'http://auth.example.com' }],
    ['issuer', { issuer: 'auth' }],
    ['audience', { audience: 5 }],
    ['jwksUri', { jwksUri: 'http://auth.example.com/jwks' }],
    ['keys', { keys: [] }],
    ['storage', { storage: {} }],
    ['audiences', { audiences: 'x' }],
  ])('are refused with a wrong %s', (name, options) => {
    expect(() => createTokenVerifier({ issuer, audience, ...options } as never)).toThrow(name)
  })

  it.each<[string, object]>([
    ['origin', { token: 'x', origin: 'https://api.example.com/x' }],
    ['scope', { token: 'x', scope: 'a"b' }],
    ['request', { request: { headers: new Headers() } }],
    ['request', {}],
  ])('and of a check with a wrong %s', async (name, check) => {
    const { verifier } = testVerifier()
    await expect(verifier.verifyToken(check as never)).rejects.toThrow(name)
  })
})
