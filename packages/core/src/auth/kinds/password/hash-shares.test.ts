import { expect, it } from 'vitest'
import { createUser } from '../../people/create-user.ts'
import { errorOf, startFlow, testAuth } from '../../service.fixture.ts'
import type { HashRequester } from './hash-queue.ts'
import type { PasswordHasher } from './password-hasher.ts'

const email = 'maya@harborlight.example'

it('hashing counts to the account and the network of the requester, with and without metrics', async () => {
  const requesters: (HashRequester | undefined)[] = []
  const hasher: PasswordHasher = {
    hash: async (password) => `plain:${password}`,
    async verify(password, hash, requester) {
      requesters.push(requester)
      return hash === `plain:${password}`
    },
    needsRehash: () => false,
  }
  const world = testAuth({}, { hasher })
  const id = await createUser(world.auth, { email, password: 'tidal-lantern-42' })
  const login = await startFlow(world, 'login', { ip: '2001:db8::77' })
  await login.input({ identification: 'email', login_id: email })
  errorOf(await login.input({ authentication: 'primary_password', password: 'wrong' }))
  expect(requesters).toEqual([{ account: id, address: '2001:db8:0:0::/64' }])
})
