import {
  addIdentity,
  anonymizeUser,
  authCollections,
  createAuth,
  createScryptHasher,
  createUser,
  deleteUser,
  findUsers,
  importUsers,
  listUsers,
  type UserListQuery,
  type UserQuery,
  updateUser,
} from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { describe, expect, it } from 'vitest'
import { forEachStore, type Store } from './stores.ts'

const google = { type: 'google', alias: 'google', client_id: 'web' } as const

async function openWorld(store: Store) {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = await store.openEmpty(clock)
  const auth = createAuth({
    storage,
    clock,
    secrets: [{ id: 'k', key: new Uint8Array(32) }],
    hasher: createScryptHasher({ N: 2 }),
    oauth: { status: () => 'active', authorizationUrl: fail, redeem: fail },
    config: {
      id: 'app',
      http: { public_origin: 'https://app.example' },
      identity: {
        login_id: { keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }] },
        oauth: { providers: [google] },
      },
      authentication: { identities: ['login_id', 'oauth'] },
    },
  })
  const idsBy = async (query: UserQuery) => (await findUsers(auth, query)).map(({ id }) => id)
  /** All pages. */
  const pages = async (query: UserListQuery) => {
    const ids: string[][] = []
    let after: string | undefined
    do {
      const page = await listUsers(auth, { ...query, ...(after === undefined ? {} : { after }) })
      ids.push(page.items.map(({ id }) => id))
      after = page.next
    } while (after !== undefined)
    return ids
  }
  return { clock, storage, auth, idsBy, pages }
}

function fail(): never {
  throw new Error('no provider is asked')
}

forEachStore(authCollections, (store) => {
  describe(`users in ${store.name}`, () => {
    it('are found by login ID, address, provider account and attribute', async () => {
      const { auth, idsBy } = await openWorld(store)
      const maya = await createUser(auth, {
        email: 'maya@x.example',
        phone_number: '+6591234567',
        preferred_username: 'Maya',
        standard_attributes: { family_name: 'Ito' },
        custom_attributes: { x_plan: 'pro', x_seats: 5, x_trial: false, x_tags: ['a'] },
      })
      const lena = await createUser(auth, { email: 'lena@x.example' })
      const claims = { email: 'maya@x.example' }
      await addIdentity(
        auth,
        lena,
        { type: 'oauth', alias: 'google', subject: 'g1', claims },
        { force: true },
      )
      expect(await idsBy({ login_id: ' MAYA@x.example' })).toEqual([maya])
      expect(await idsBy({ login_id: '+6591234567' })).toEqual([maya])
      expect(await idsBy({ login_id: 'maya' })).toEqual([maya])
      expect(await idsBy({ email: 'maya@X.example' })).toEqual([maya, lena])
      expect(await idsBy({ phone_number: '+6591234567' })).toEqual([maya])
      expect(await idsBy({ username: 'MAYA' })).toEqual([maya])
      expect(await idsBy({ provider: { alias: 'google', subject: 'g1' } })).toEqual([lena])
      expect(await idsBy({ attribute: { name: 'family_name', value: 'Ito' } })).toEqual([maya])
      expect(await idsBy({ attribute: { name: 'x_seats', value: 5 } })).toEqual([maya])
      expect(await idsBy({ attribute: { name: 'x_trial', value: false } })).toEqual([maya])
      for (const nobody of [
        { login_id: 'nobody' },
        { email: 'not an address' },
        { phone_number: '12' },
        { username: '\0' },
        { provider: { alias: 'google', subject: 'g2' } },
        { attribute: { name: 'x_seats', value: '5' } },
        { attribute: { name: '\0', value: '\ud800' } },
      ]) {
        expect(await idsBy(nobody)).toEqual([])
      }
    })

    it('are found by their current attributes only', async () => {
      const { auth, idsBy } = await openWorld(store)
      const attribute = (value: string) => ({ attribute: { name: 'nickname', value } })
      const maya = await createUser(auth, {
        email: 'maya@x.example',
        standard_attributes: { nickname: 'May' },
      })
      await updateUser(auth, maya, { standard_attributes: { nickname: 'Mia' } })
      expect(await idsBy(attribute('May'))).toEqual([])
      expect(await idsBy(attribute('Mia'))).toEqual([maya])
      await anonymizeUser(auth, maya)
      expect(await idsBy(attribute('Mia'))).toEqual([])
      const lena = await createUser(auth, {
        email: 'lena@x.example',
        standard_attributes: { nickname: 'Mia' },
      })
      expect(await idsBy(attribute('Mia'))).toEqual([lena])
      await deleteUser(auth, lena)
      expect(await idsBy(attribute('Mia'))).toEqual([])
    })

    it('are listed newest first, page by page, also those of one instant', async () => {
      const { auth, clock, pages } = await openWorld(store)
      const records = Array.from({ length: 7 }, (_, index) => ({
        preferred_username: `user${index}`,
      }))
      const old = await importUsers(auth, records)
      clock.advance(1)
      const maya = await createUser(auth, { email: 'maya@x.example' })
      const all = await pages({ limit: 3 })
      expect(all.map((ids) => ids.length)).toEqual([3, 3, 2])
      expect(all[0]?.[0]).toBe(maya)
      const oldIds = old.map((one) => (one.outcome === 'inserted' ? one.user_id : ''))
      expect(all.flat().slice(1).toSorted()).toEqual(oldIds.toSorted())
      expect(await pages({ limit: 8 })).toEqual([all.flat(), []])
      expect(await pages({})).toEqual([all.flat()])
    })

    it('are listed by the start of an address or a name', async () => {
      const { auth, pages } = await openWorld(store)
      const make = (name: string) =>
        createUser(auth, { email: `${name}@x.example`, preferred_username: name })
      const [anna, anton, ben] = [await make('Anna'), await make('anton'), await make('ben')]
      expect(await pages({ prefix: { email: 'AN' } })).toEqual([[anna, anton]])
      expect(await pages({ prefix: { username: 'an' }, limit: 1 })).toEqual([[anna], [anton], []])
      expect(await pages({ prefix: { email: 'ben@x.example' } })).toEqual([[ben]])
      expect(await pages({ prefix: { phone_number: '+' } })).toEqual([[]])
      expect(await pages({ prefix: { username: 'c\0%_' } })).toEqual([[]])
    })
  })
})

describe('a query for users', () => {
  const world = async () => {
    const { createMemoryStorage } = await import('@gatehouse/store-memory')
    const open = () => createMemoryStorage()
    return openWorld({ name: 'memory', open, openEmpty: async () => open() })
  }

  it.each<[UserQuery, string]>([
    [{}, 'query: expected exactly one of'],
    [{ email: 'a@x.example', username: 'a' }, 'got 2 of them'],
    [{ attribute: { name: 'email', value: 'a' } }, 'query.attribute.name: expected another'],
    [{ attribute: { name: 'x', value: null as unknown as string } }, 'query.attribute.value'],
  ])('%j is refused', async (query, message) => {
    const { auth } = await world()
    await expect(findUsers(auth, query)).rejects.toThrow(message)
  })

  it('names a configured provider', async () => {
    const { auth } = await world()
    const query = { provider: { alias: 'nowhere', subject: 's' } }
    await expect(findUsers(auth, query)).rejects.toMatchObject({ reason: 'OAuthProviderNotFound' })
  })

  it.each<[UserListQuery, string]>([
    [{ limit: 0 }, 'query.limit'],
    [{ prefix: {} }, 'query.prefix'],
    [{ prefix: { email: 'a', username: 'b' } }, 'query.prefix'],
    [{ prefix: { email: '' } }, 'query.prefix.email'],
    [{ after: 'x' }, 'query.after'],
    [{ after: Buffer.from('["a","b"]').toString('base64url') }, 'query.after'],
    [
      { prefix: { email: 'a' }, after: Buffer.from('[1,"b"]').toString('base64url') },
      'query.after',
    ],
  ])('%j is refused for a list', async (query, path) => {
    const { auth } = await world()
    await expect(listUsers(auth, query)).rejects.toThrow(path)
  })
})
