import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { objectOf, text } from '../../storage/record-check.ts'
import type { Json, Write } from '../../storage/storage.ts'
import type { UserRecord } from './user-record.ts'

/** Attributes that users are found by, by the user and the SHA-256 of the name. `key` is a digest of name and value. */
export const userAttributeCollection: TypedCollection<{
  readonly user_id: string
  readonly key: string
}> = defineCollection({
  name: 'auth_user_attributes',
  fields: { user_id: 'text', key: 'text' },
  unreadable: 'skip',
  check: objectOf<{ readonly user_id: string; readonly key: string }>({ user_id: text, key: text }),
})

type Profile = Pick<UserRecord, 'standard_attributes' | 'custom_attributes'>

/** Users are found by these through their identities. */
const claims: ReadonlySet<string> = new Set(['email', 'phone_number', 'preferred_username'])
/** The most attributes of a user that users are found by. */
const maxIndexed = 200

/** The key that a user with this attribute is found by. */
export const attributeKey = (name: string, value: Json): string =>
  sha256Hex(JSON.stringify([name, value]))

/** The writes that keep the index of attributes current after a change of a profile. */
export function attributeWrites(
  userId: string,
  before: Profile | undefined,
  after: Profile,
): readonly Write[] {
  const old = before === undefined ? new Map<string, string>() : indexedKeys(before)
  const now = indexedKeys(after)
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): readonly Write[] => {
    const key = now.get(name)
    if (old.get(name) === key) return []
    const id = `${userId}:${sha256Hex(name)}`
    return [
      key === undefined
        ? userAttributeCollection.remove(id)
        : userAttributeCollection.write(id, { user_id: userId, key }),
    ]
  })
}

/** Whether a user has an attribute with this value. */
export const hasAttribute = (user: Profile, name: string, value: Json): boolean =>
  [user.standard_attributes, user.custom_attributes].some(
    (attributes) => Object.hasOwn(attributes, name) && attributes[name] === value,
  )

/** The keys of the texts, numbers and flags in a profile, by name. */
function indexedKeys({ standard_attributes, custom_attributes }: Profile): Map<string, string> {
  const keys = new Map<string, string>()
  for (const [name, value] of [standard_attributes, custom_attributes].flatMap(Object.entries)) {
    const isScalar = value !== null && typeof value !== 'object'
    if (isScalar && !claims.has(name) && keys.size < maxIndexed) {
      keys.set(name, attributeKey(name, value))
    }
  }
  return keys
}
