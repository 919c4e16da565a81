import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, listOf, objectOf, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** Where a user has signed in from. */
export interface KnownBrowsersRecord {
  /** The last one first. A key stands for a browser at a network, and tells neither. */
  readonly browsers: readonly { readonly key: string; readonly at: Instant }[]
}

/** Known browsers of users, by the user's id. */
export const knownBrowsersCollection: TypedCollection<KnownBrowsersRecord> = defineCollection({
  name: 'auth_known_browsers',
  check: objectOf<KnownBrowsersRecord>({ browsers: listOf(objectOf({ key: text, at: instant })) }),
})
