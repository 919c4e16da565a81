import { describe, expect, it } from 'vitest'
import { testAuth } from '../service.fixture.ts'
import { updateAuthConfig } from '../update-auth-config.ts'
import { createUser, type NewUser } from './create-user.ts'
import { getUser } from './get-user.ts'

const email = 'maya@harborlight.example'
const phone_number = '+6591234567'

/** Whether a user counts as verified, by each criterion. */
async function verified(user: NewUser, claims: object = {}): Promise<readonly boolean[]> {
  const answers: boolean[] = []
  for (const criteria of ['any', 'all']) {
    const { auth } = testAuth({ verification: { criteria, claims } })
    const { is_verified } = await getUser(auth, await createUser(auth, user))
    answers.push(is_verified)
  }
  return answers
}

describe('a user counts as verified', () => {
  it.each<[string, NewUser, readonly boolean[]]>([
    ['by the only address', { email, email_verified: true }, [true, true]],
    [
      'by one of two addresses, depending on the criterion',
      { email, email_verified: true, phone_number },
      [true, false],
    ],
    [
      'by both',
      { email, email_verified: true, phone_number, phone_number_verified: true },
      [true, true],
    ],
    ['not by an unverified address', { email, phone_number }, [false, false]],
    ['not by a username', { preferred_username: 'maya' }, [false, false]],
    [
      'by a verified address, whatever the username',
      { email, email_verified: true, preferred_username: 'maya' },
      [true, true],
    ],
  ])('%s', async (_what, user, expected) => {
    expect(await verified(user)).toEqual(expected)
  })

  it('ignoring addresses that need no verification', async () => {
    const claims = { phone_number: { enabled: false, required: false } }
    expect(await verified({ email, email_verified: true, phone_number }, claims)).toEqual([
      true,
      true,
    ])
    const given = { phone_number, phone_number_verified: true }
    expect(await verified(given, claims)).toEqual([false, false])
  })

  it('by the current configuration', async () => {
    const { auth } = testAuth()
    const id = await createUser(auth, { email, email_verified: true, phone_number })
    expect((await getUser(auth, id)).is_verified).toBe(true)
    updateAuthConfig(auth, {
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      verification: { criteria: 'all' },
    })
    expect((await getUser(auth, id)).is_verified).toBe(false)
  })
})
