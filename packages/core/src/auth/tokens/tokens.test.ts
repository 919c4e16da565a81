import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createAuth } from '../create-auth.ts'
import { createExternalJwtVerifier } from '../external-jwt/create-external-jwt-verifier.ts'
import { decodeJwt } from '../external-jwt/jwt-signature.ts'
import { createUser } from '../people/create-user.ts'
import { setPassword } from '../people/set-password.ts'
import { disableUser } from '../people/update-user.ts'
import { type ConfigDelta, startOfTests, testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { resolveSession } from '../sessions/resolve-session.ts'
import { revokeSession } from '../sessions/revoke-session.ts'
import { issueTokens } from './issue-tokens.ts'
import { refreshTokens, revokeTokens } from './refresh-tokens.ts'
import { getJwks, listSigningKeys, rotateSigningKeys } from './rotate-signing-keys.ts'

const minute = 60_000
const day = 86_400_000
const email = 'maya@harborlight.example'

/** A service with tokens, and a session of Maya's. */
async function house(delta: ConfigDelta = { tokens: {} }) {
  const world = testAuth(delta)
  const userId = await createUser(world.auth, { email, password: 'tidal-lantern-42' })
  const opened = await createSession(world.auth, userId, { amr: ['pwd'] })
  const bearer = (token: string, cookie = '') =>
    resolveSession(
      world.auth,
      new Request('https://app.example', { headers: { authorization: `Bearer ${token}`, cookie } }),
    )
  return { ...world, userId, ...opened, bearer }
}

const invalid = { kind: 'Unauthorized', reason: 'InvalidToken' }

describe('an access token', () => {
  it('stands for its session, and says so to others', async () => {
    const { auth, session, userId, clock, bearer } = await house({
      tokens: { audience: ['https://api.example.com', 'https://maps.example.com'] },
    })
    const tokens = await issueTokens(auth, session)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 600 })
    expect((await bearer(tokens.access_token))?.id).toBe(session.id)
    const now = clock.now() / 1_000
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      header: { alg: 'ES256', typ: 'at+jwt' },
      claims: {
        iss: 'https://auth.example.com',
        aud: ['https://api.example.com', 'https://maps.example.com'],
        sub: userId,
        sid: session.id,
        iat: now,
        exp: now + 600,
        auth_time: now,
        amr: ['pwd'],
        acr: 'aal1',
      },
    })
  })

  it('is verified by others with the published keys alone', async () => {
    const { auth, session, clock } = await house()
    const { access_token } = await issueTokens(auth, session)
    const verifier = createExternalJwtVerifier({ clock })
    const iss = 'https://auth.example.com'
    const jwks = JSON.parse(JSON.stringify(await getJwks(auth)))
    const issuer = { iss, aud: [iss], jwks_uri: undefined, jwks, clock_skew_seconds: 0 }
    const claims = {
      email: 'email',
      email_verified: 'email_verified',
      phone_number: 'phone_number',
      phone_number_verified: 'phone_number_verified',
      preferred_username: 'preferred_username',
    }
    const verified = await verifier.verify([{ ...issuer, claims }], access_token)
    expect(verified?.claims.sid).toBe(session.id)
    expect(JSON.stringify(jwks)).not.toMatch(/"d"|sealed/)
  })

  it('ends after its time, with its session, and with the right of its user to sign in', async () => {
    const { auth, session, userId, clock, bearer } = await house()
    const { access_token } = await issueTokens(auth, session)
    clock.advance(10 * minute)
    expect(await bearer(access_token)).toBeUndefined()
    const { access_token: second } = await issueTokens(auth, session)
    await disableUser(auth, userId)
    expect(await bearer(second)).toBeUndefined()
    const other = await house()
    const { access_token: third } = await issueTokens(other.auth, other.session)
    await revokeSession(other.auth, other.session.id)
    expect(await other.bearer(third)).toBeUndefined()
    await expect(issueTokens(other.auth, other.session)).rejects.toMatchObject(invalid)
  })

  it('is refused if anything in it is changed, or it is another kind of token', async () => {
    const { auth, session, bearer } = await house()
    const { access_token, refresh_token } = await issueTokens(auth, session)
    const [head = '', body = '', tail = ''] = access_token.split('.')
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      `${head}.${written({ ...read(body), sub: 'somebody-else' })}.${tail}`,
      `${written({ ...read(head), alg: 'none' })}.${body}.`,
      `${written({ ...read(head), alg: 'HS256' })}.${body}.${tail}`,
      `${written({ ...read(head), typ: 'JWT' })}.${body}.${tail}`,
      `${written({ ...read(head), kid: 'unknown' })}.${body}.${tail}`,
      `${written({ ...read(head), crit: ['x'] })}.${body}.${tail}`,
      `${head}.${body}.${'A'.repeat(86)}`,
      `${access_token}.${access_token}`,
      refresh_token,
      '',
      '..',
      'x'.repeat(100_000),
    ]
    for (const token of forged) expect(await bearer(token), token.slice(0, 40)).toBeUndefined()
  })

  it('is refused if it was made for others, or by another service with the same keys', async () => {
    const { auth, session, bearer } = await house()
    const { access_token } = await issueTokens(auth, session)
    auth.config.current = auth.readConfig({
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      tokens: { audience: ['https://elsewhere.example.com'] },
    })
    expect(await bearer(access_token)).toBeUndefined()
    auth.config.current = auth.readConfig({
      id: 'test',
      http: { public_origin: 'https://login.example.com' },
      tokens: { audience: ['https://auth.example.com'] },
    })
    expect(await bearer(access_token)).toBeUndefined()
  })
})

describe('a request with a bearer token', () => {
  it('may bring the token of the session itself', async () => {
    const { token, session, bearer } = await house()
    expect((await bearer(token))?.id).toBe(session.id)
  })

  it('is not signed in by its cookie if the bearer token is not valid', async () => {
    const { token, bearer } = await house()
    expect(await bearer('nonsense', `session=${token}`)).toBeUndefined()
  })

  it('is one of its cookie without the section "tokens", and there are no tokens then', async () => {
    const { auth, token, session, bearer } = await house({})
    expect(await bearer(token)).toBeUndefined()
    expect((await bearer('nonsense', `session=${token}`))?.id).toBe(session.id)
    const disabled = { kind: 'NotFound', reason: 'TokensDisabled' }
    await expect(issueTokens(auth, session)).rejects.toMatchObject(disabled)
    await expect(refreshTokens(auth, 'ghr_a.b.1.k1.c')).rejects.toMatchObject(disabled)
    await expect(getJwks(auth)).rejects.toMatchObject(disabled)
  })
})

describe('a refresh token', () => {
  it('gets new tokens once; its use counts as a use of the session', async () => {
    const { auth, session, clock, bearer } = await house()
    const first = await issueTokens(auth, session)
    clock.advance(20 * day)
    const second = await refreshTokens(auth, first.refresh_token, {
      ip: '192.0.2.7',
      userAgent: 'Harbor/2',
    })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    clock.advance(20 * day)
    const third = await refreshTokens(auth, second.refresh_token)
    expect(await bearer(third.access_token)).toMatchObject({
      id: session.id,
      last_accessed_ip: '192.0.2.7',
      last_accessed_user_agent: 'Harbor/2',
    })
  })

  it('that was replaced gets the same one shortly after: the answer may be lost', async () => {
    const { auth, session, clock } = await house()
    const { refresh_token } = await issueTokens(auth, session)
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => refreshTokens(auth, refresh_token)),
    )
    expect(new Set(racing.map((one) => one.refresh_token)).size).toBe(1)
    clock.advance(10_000)
    const again = await refreshTokens(auth, refresh_token)
    expect(again.refresh_token).toBe(racing[0]?.refresh_token)
  })

  it.each([
    ['later', 10_001, 1],
    ['and used twice since', 0, 2],
  ])('that was replaced %s ends the session, for whoever has it', async (_, passed, uses) => {
    const { auth, session, clock, bearer } = await house()
    const { refresh_token: stolen, access_token } = await issueTokens(auth, session)
    let newest = stolen
    for (let use = 0; use < uses; use++) {
      newest = (await refreshTokens(auth, newest)).refresh_token
    }
    clock.advance(passed)
    await expect(refreshTokens(auth, stolen)).rejects.toMatchObject(invalid)
    expect(await bearer(access_token)).toBeUndefined()
    await expect(refreshTokens(auth, newest)).rejects.toMatchObject(invalid)
  })

  it('ends with its time, and with the session of its user', async () => {
    const { auth, session, clock, userId } = await house({
      tokens: { refresh_token_lifetime_seconds: 3_600 },
    })
    const { refresh_token } = await issueTokens(auth, session)
    clock.advance(3_600_000)
    await expect(refreshTokens(auth, refresh_token)).rejects.toMatchObject(invalid)
    const { refresh_token: second } = await issueTokens(auth, session)
    await setPassword(auth, userId, 'copper-meadow-7')
    await expect(refreshTokens(auth, second)).rejects.toMatchObject(invalid)
  })

  it('that nobody has issued changes nothing', async () => {
    const { auth, session, bearer } = await house()
    const { refresh_token, access_token } = await issueTokens(auth, session)
    const parts = refresh_token.split('.')
    const made = [
      refresh_token.replace('.1.', '.2.'),
      refresh_token.replace('.1.', '.0.'),
      `${parts.slice(0, -1).join('.')}.${'A'.repeat(43)}`,
      refresh_token.slice(0, -1),
      'ghr_',
      '',
      'x'.repeat(100_000),
    ]
    for (const token of made) {
      await expect(refreshTokens(auth, token)).rejects.toMatchObject(invalid)
    }
    expect((await bearer(access_token))?.id).toBe(session.id)
  })

  it('ends the session when it is revoked, also one that was used up', async () => {
    const { auth, session, bearer } = await house()
    const first = await issueTokens(auth, session)
    await revokeTokens(auth, 'nonsense')
    await refreshTokens(auth, first.refresh_token)
    await revokeTokens(auth, first.refresh_token)
    expect(await bearer(first.access_token)).toBeUndefined()
    await revokeTokens(auth, first.refresh_token)
  })

  it('of one app does not touch that of another; nine apps drop the one unused longest', async () => {
    const { auth, session, clock } = await house()
    const apps: string[] = []
    for (let app = 0; app < 9; app++) {
      apps.push((await issueTokens(auth, session)).refresh_token)
      clock.advance(1_000)
    }
    const [first = '', second = '', ...others] = apps
    await expect(refreshTokens(auth, first)).rejects.toMatchObject(invalid)
    for (const token of [second, ...others]) await refreshTokens(auth, token)
  })
})

describe('the signing keys', () => {
  it('follow each other so that whoever keeps the published ones for five minutes knows the next', async () => {
    const { auth, session, clock, bearer } = await house()
    const first = await issueTokens(auth, session)
    const [old] = await listSigningKeys(auth)
    clock.advance(1_000)
    const rotated = await rotateSigningKeys(auth)
    expect(rotated.map(({ state }) => state)).toEqual(['signing', 'next'])
    expect((await getJwks(auth)).keys).toHaveLength(2)
    const kidOf = (token: string) => decodeJwt(token)?.header.kid
    clock.advance(10 * minute - 1)
    expect(kidOf((await issueTokens(auth, session)).access_token)).toBe(old?.kid)
    clock.advance(1)
    const second = await issueTokens(auth, session)
    expect(kidOf(second.access_token)).toBe(rotated[1]?.kid)
    expect(kidOf(first.access_token)).toBe(old?.kid)
    expect((await listSigningKeys(auth)).map(({ state }) => state)).toEqual(['retiring', 'signing'])
    clock.advance(10 * minute)
    expect(await listSigningKeys(auth)).toHaveLength(1)
    expect(await bearer(second.access_token)).toBeUndefined()
  })

  it('are replaced by themselves in time', async () => {
    const { auth, session, clock } = await house()
    await issueTokens(auth, session)
    clock.advance(89 * day)
    expect(await listSigningKeys(auth)).toHaveLength(1)
    await auth.storage.commit([])
    clock.advance(day)
    const renewed = await createSession(auth, session.user_id)
    await issueTokens(auth, renewed.session)
    expect((await listSigningKeys(auth)).map(({ state }) => state)).toEqual(['signing', 'next'])
  })

  it('end at once if one was stolen, with every access token; sessions and refresh tokens stay', async () => {
    const { auth, session, bearer } = await house()
    const { access_token, refresh_token } = await issueTokens(auth, session)
    expect(await rotateSigningKeys(auth, { revoke: true })).toMatchObject([{ state: 'signing' }])
    expect(await bearer(access_token)).toBeUndefined()
    const next = await refreshTokens(auth, refresh_token)
    expect((await bearer(next.access_token))?.id).toBe(session.id)
  })

  it('are one signing and one waiting at most, however often they are rotated', async () => {
    const { auth, session, bearer } = await house()
    const { access_token } = await issueTokens(auth, session)
    for (let turn = 0; turn < 12; turn++) await rotateSigningKeys(auth)
    expect((await listSigningKeys(auth)).map(({ state }) => state)).toEqual(['signing', 'next'])
    expect((await bearer(access_token))?.id).toBe(session.id)
  })

  it('end also if other processes add keys at that moment', async () => {
    const { auth, session, bearer } = await house()
    const { access_token } = await issueTokens(auth, session)
    await Promise.all([
      rotateSigningKeys(auth),
      rotateSigningKeys(auth, { revoke: true }),
      rotateSigningKeys(auth),
    ])
    expect(await bearer(access_token)).toBeUndefined()
  })

  it('are the same for several processes that make the first one at once', async () => {
    const clock = createManualClock(startOfTests)
    const storage = createMemoryStorage({ clock })
    const { auth, session } = await house()
    const options = {
      storage,
      clock,
      config: { id: 'test', http: { public_origin: 'https://auth.example.com' }, tokens: {} },
      secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    }
    const processes = Array.from({ length: 5 }, () => createAuth(options))
    await Promise.all(processes.map((one) => rotateSigningKeys(one)))
    const lists = await Promise.all(processes.map((one) => getJwks(one)))
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1)
    await Promise.all(Array.from({ length: 5 }, () => issueTokens(auth, session)))
    expect(await listSigningKeys(auth)).toHaveLength(1)
  })

  it('are made anew if their secret is gone, and stay with a rotated secret', async () => {
    const clock = createManualClock(startOfTests)
    const storage = createMemoryStorage({ clock })
    const old = { id: 'k1', key: 'test key of at least thirty-two bytes' }
    const next = { id: 'k2', key: 'another key of at least thirty-two bytes' }
    const serviceWith = (secrets: readonly (typeof old)[]) =>
      createAuth({
        storage,
        clock,
        config: { id: 'test', http: { public_origin: 'https://auth.example.com' }, tokens: {} },
        secrets,
      })
    const before = serviceWith([old])
    const userId = await createUser(before, { email })
    const { session } = await createSession(before, userId)
    const { access_token, refresh_token } = await issueTokens(before, session)
    const request = new Request('https://app.example', {
      headers: { authorization: `Bearer ${access_token}` },
    })
    const rotated = serviceWith([next, old])
    expect((await resolveSession(rotated, request))?.id).toBe(session.id)
    const again = await refreshTokens(rotated, refresh_token)
    expect(decodeJwt(again.access_token)?.header.kid).toBe(decodeJwt(access_token)?.header.kid)
    const after = serviceWith([next])
    const renewed = await refreshTokens(after, again.refresh_token)
    expect(decodeJwt(renewed.access_token)?.header.kid).not.toBe(
      decodeJwt(access_token)?.header.kid,
    )
    expect(await resolveSession(after, request)).toBeUndefined()
  })
})
