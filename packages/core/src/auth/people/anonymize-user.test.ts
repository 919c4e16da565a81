import { describe, expect, it } from 'vitest'
import { authCollections } from '../collections.ts'
import { changesOf, maya, signedIn } from '../own-account/account.fixture.ts'
import { errorOf, testAuth } from '../service.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { addRecoveryCodes } from './add-recovery-codes.ts'
import { anonymizeUser } from './anonymize-user.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'

describe('an anonymized user', () => {
  it('keeps only the id', async () => {
    const world = testAuth()
    const { auth, storage } = world
    const person = await signedIn(world, { ...maya, custom_attributes: { x_plan: 'pro' } })
    await addRecoveryCodes(auth, person.id)
    await anonymizeUser(auth, person.id)
    expect(await getUser(auth, person.id)).toMatchObject({
      id: person.id,
      is_anonymized: true,
      standard_attributes: {},
      custom_attributes: {},
      identities: [],
      authenticators: [],
      verified_claims: [],
      recovery_codes: 0,
    })
    for (const collection of authCollections) {
      if (collection.name === 'auth_outbox') continue
      const found = await storage.find(collection, { by: 'id', limit: 1_000 })
      expect(JSON.stringify(found)).not.toContain(maya.email)
    }
    const token = person.request.cookie.slice('session='.length)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
    expect(errorOf(await person.tryTo({ add_identity: 'email' })).reason).toBe('AnonymizedUser')
    expect((await changesOf(world)).at(-1)).toMatchObject({
      type: 'user.anonymized',
      payload: { user: { id: person.id } },
    })
    await createUser(auth, { email: maya.email })
  })

  it('must exist', async () => {
    const { auth } = testAuth()
    await expect(anonymizeUser(auth, 'nobody')).rejects.toMatchObject({ reason: 'UserNotFound' })
  })
})
