import { afterEach, beforeEach, describe, inject } from 'vitest'
import { createDatabase, dropDatabase } from './postgres-database.ts'
import type {} from './postgres-global.ts'

/** A suite whose tests need the PostgreSQL of the run: where there is none they are skipped, and its name says why. */
export function describeWithPostgres(name: string, body: () => void): void {
  const { missing } = inject('postgres')
  if (missing === '') describe(name, body)
  else describe.skip(`${name} (${missing})`, body)
}

/**
 * The URL of the database `postgres` of the server that the whole run shares.
 *
 * @throws {Error} with its log if it cannot be started.
 */
export async function sharedPostgres(): Promise<string> {
  const response = await fetch(inject('postgres').url)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** A fresh database on the shared server. Whoever makes one drops it, with `dropDatabase()`. */
export async function freshDatabase(): Promise<string> {
  return createDatabase(await sharedPostgres())
}

/** A fresh database on the shared server for each test of the suite it is called in. */
export function useDatabase(): { readonly url: string } {
  let url = ''
  beforeEach(async () => {
    url = await freshDatabase()
  })
  afterEach(() => dropDatabase(url))
  return {
    get url() {
      return url
    },
  }
}
