import { createHash } from 'node:crypto'
import { defineCollection, type TypedCollection } from '@gatehouse/core/store'

/** An app that a person has let in, by the digest of both. */
export interface AuthorizedApp {
  readonly user_id: string
  readonly client_id: string
  /** The name of the app as the person has last seen it. */
  readonly name?: string
  /** What the person has consented to; empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The same of each API. */
  readonly resources: Readonly<Record<string, readonly string[]>>
  readonly authorized_at: number
  readonly last_used_at: number
}

/** How many apps a person has let in at most. For the next one, the least recently used one is taken back. */
export const maxApps = 500

/** The apps that people have let in. */
export const appCollection: TypedCollection<AuthorizedApp> = defineCollection({
  name: 'oidc_apps',
  fields: { user_id: 'text', client_id: 'text' },
})

/** The id of the record of an app that a person has let in. */
export const idOfApp = (userId: string, clientId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, clientId]))
    .digest('base64url')
