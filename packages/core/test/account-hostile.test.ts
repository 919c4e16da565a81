import { accountRoutes, deleteUser, type Json, type Storage } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { accountChanges } from '../src/auth/api/account.ts'
import { createRouteClient, flowsPath } from '../src/auth/http/routes.fixture.ts'
import { maya, type Person, signedIn, tom } from '../src/auth/own-account/account.fixture.ts'
import { addAuthenticator } from '../src/auth/people/add-authenticator.ts'
import { addRecoveryCodes } from '../src/auth/people/add-recovery-codes.ts'
import { testAuth } from '../src/auth/service.fixture.ts'

const base = '/api/v1/account'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

/** Collections of counters and queued events, which belong to requests and not to a user. */
const ofRequests = new Set(['auth_outbox', 'auth_buckets', 'auth_flows', 'auth_states'])

/** All records that belong to a user. */
async function recordsOf(storage: Storage, userId: string): Promise<readonly string[]> {
  const records: string[] = []
  for (const collection of authCollections) {
    if (ofRequests.has(collection.name)) continue
    const found = await storage.find(collection, { by: 'id', limit: 1_000 })
    records.push(...found.map((one) => JSON.stringify(one)).filter((one) => one.includes(userId)))
  }
  return records.sort()
}

/** A service with an attacker and a victim, and the facts that the attacker may know about the victim. */
async function house() {
  const world = testAuth({
    authentication: { secondary_authenticators: ['totp', 'password', 'oob_otp_email'] },
    authentication_flow: { rate_limits: { per_ip: { enabled: false } } },
    identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }] } },
  })
  const { auth } = world
  const victim = await signedIn(world, { ...tom, preferred_username: 'tom' })
  await addAuthenticator(auth, victim.id, { type: 'totp', secret })
  await addRecoveryCodes(auth, victim.id)
  const { identities, authenticators } = await victim.details()
  const ids = [
    victim.id,
    victim.session.id,
    ...identities.map(({ id }) => id),
    ...authenticators.map(({ id }) => id),
  ]
  const routes = [...auth.routes, ...accountRoutes(auth, { freshForMs: Number.POSITIVE_INFINITY })]
  return { ...world, victim, ids, client: createRouteClient({ ...auth, routes }) }
}

/** One request of an attacker. The numbers choose among the facts known so far. */
type Attack =
  | { readonly kind: 'remove'; readonly what: string; readonly id: string | number }
  | { readonly kind: 'begin'; readonly body: Json; readonly known: number | null }
  | { readonly kind: 'input'; readonly input: Json; readonly state: number }
  | { readonly kind: 'profile'; readonly body: Json }
  | { readonly kind: 'post'; readonly path: string; readonly body: Json }

const words = fc.constantFrom<Json>(
  'email',
  'phone',
  'username',
  'primary',
  'secondary',
  'secondary_totp',
  'secondary_password',
  'secondary_oob_otp_email',
  'primary_password',
  maya.password,
  tom.email,
  maya.email,
  'new@harborlight.example',
  '+14155552671',
  '/email',
  '/nickname',
  '/x_plan',
  '000000',
  true,
  0,
)
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const value = fc.oneof(words, fc.array(words, { maxLength: 3 }), json)
const inputMembers = [
  'identification',
  'login_id',
  'code',
  'channel',
  'resend',
  'authentication',
  'password',
  'new_password',
  'target',
  'index',
  'attributes',
  'confirm_recovery_code',
  'creation_response',
]
const membersOf = (names: readonly string[]): fc.Arbitrary<Json> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 })
const attribute = fc.record({ pointer: value, value }, { requiredKeys: ['pointer'] })

const attack: fc.Arbitrary<Attack> = fc.oneof(
  fc.record({
    kind: fc.constant('remove' as const),
    what: fc.constantFrom('identities', 'authenticators', 'sessions'),
    id: fc.oneof(fc.nat(10), fc.string({ unit: 'binary', minLength: 1 })),
  }),
  fc.record({
    kind: fc.constant('begin' as const),
    body: fc.oneof(membersOf(Object.keys(accountChanges)), json),
    known: fc.option(fc.nat(10)),
  }),
  fc.record({
    kind: fc.constant('input' as const),
    input: fc.oneof(
      { weight: 4, arbitrary: membersOf(inputMembers) },
      { weight: 1, arbitrary: json },
    ),
    state: fc.nat(20),
  }),
  fc.record({
    kind: fc.constant('profile' as const),
    body: fc.oneof(
      fc.record({ attributes: fc.array(attribute, { maxLength: 4 }) }) as fc.Arbitrary<Json>,
      json,
    ),
  }),
  fc.record({
    kind: fc.constant('post' as const),
    path: fc.constantFrom('/sessions/revoke-others', '/device-tokens/revoke'),
    body: json,
  }),
)

type House = Awaited<ReturnType<typeof house>>

/** Sends a request and stores the resulting state. */
async function send(
  { client, ids }: House,
  { request }: Person,
  tokens: string[],
  attacked: Attack,
): Promise<number> {
  const [method, path, body] = requestOf(attacked, ids, tokens)
  const headers = { cookie: request.cookie }
  const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await client.send(path, sent)
  const { result } = JSON.parse(await answer.text())
  if (typeof result?.state_token === 'string') tokens.push(result.state_token)
  return answer.status
}

function requestOf(
  attacked: Attack,
  ids: readonly string[],
  tokens: readonly string[],
): readonly [method: string, path: string, body?: Json] {
  switch (attacked.kind) {
    case 'remove': {
      const id = typeof attacked.id === 'number' ? ids[attacked.id % ids.length] : attacked.id
      return ['DELETE', `${base}/${attacked.what}/${encodeURIComponent(id ?? '')}`]
    }
    case 'begin': {
      const { body, known } = attacked
      if (known === null) return ['POST', `${base}/flows`, body]
      const id = ids[known % ids.length] ?? ''
      const name = known % 2 === 0 ? 'replace_identity' : 'verify_identity'
      return ['POST', `${base}/flows`, { [name]: id }]
    }
    case 'input': {
      const state_token = tokens[attacked.state % Math.max(tokens.length, 1)] ?? ''
      return ['POST', `${flowsPath}/states/input`, { state_token, input: attacked.input }]
    }
    case 'profile':
      return ['PATCH', `${base}/profile`, attacked.body]
    case 'post':
      return ['POST', `${base}${attacked.path}`, attacked.body]
  }
}

/** One that is forbidden: few of the generated ones are. */
const forbidden: Attack = {
  kind: 'profile',
  body: { attributes: [{ pointer: '/roles', value: 'admin' }] },
}

describe('any sequence of requests to the account paths', () => {
  it('gets answers, and changes no other user', async () => {
    const world = await house()
    const before = await recordsOf(world.storage, world.victim.id)
    expect(before.length).toBeGreaterThan(20)
    const outcomes = new Map<number, number>()
    const attacks = fc.array(attack, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(attacks, async (all) => {
        const person = await signedIn(world)
        const tokens: string[] = []
        for (const one of all) {
          const status = await send(world, person, tokens, one)
          outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
          expect(status).toBeLessThan(500)
        }
        expect(await recordsOf(world.storage, world.victim.id)).toEqual(before)
        await deleteUser(world.auth, person.id)
      }),
      { numRuns: runsOf(60), examples: [[[forbidden]]] },
    )
    // The attacks must include accepted and refused ones.
    for (const status of [200, 400, 403, 404]) {
      expect([status, outcomes.get(status) ?? 0]).not.toEqual([status, 0])
    }
  }, 60_000)
})
