import { expect, it } from 'vitest'
import { testAuth } from '../service.fixture.ts'
import { defineKeyRings, type RingRules, type SigningAlgorithm } from './key-ring.ts'
import { privateJwks } from './signing-keys.ts'

it.each<SigningAlgorithm>(['RS256', 'ES256'])(
  'the first key of %s signs at once, however long it takes to make',
  async (alg) => {
    const { auth } = testAuth()
    const started = auth.clock.now()
    let reads = 0
    const clock = { ...auth.clock, now: () => started + reads++ }
    const rules: RingRules = {
      collection: defineKeyRings('test_rings'),
      id: alg,
      alg,
      rotateEveryMs: 86_400_000,
      validForMs: 300_000,
    }
    const ports = { storage: auth.storage, ids: auth.ids, secrets: auth.secrets, clock }
    const [key, ...others] = await privateJwks(ports, rules)
    expect(key).toMatchObject({ alg, d: expect.any(String) })
    expect(others).toEqual([])
    expect(await privateJwks(ports, rules)).toEqual([key])
  },
)
