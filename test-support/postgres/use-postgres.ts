import { afterAll, afterEach, beforeAll, describe, inject, type SuiteOptions } from 'vitest'
import { createDatabase, dropDatabase, emptyDatabase } from './postgres-database.ts'
import type {} from './postgres-global.ts'

/** A suite whose tests need the PostgreSQL of the run. If PostgreSQL is missing, the tests are skipped, and the name says why. */
export function describeWithPostgres(
  name: string,
  body: () => void,
  options: SuiteOptions = {},
): void {
  const { missing } = inject('postgres')
  if (missing === '') describe(name, options, body)
  else describe.skip(`${name} (${missing})`, body)
}

let shared: Promise<string> | undefined

/**
 * The URL of the database `postgres` on the server that the whole run shares.
 *
 * @throws {Error} with its log if it cannot be started.
 */
export function sharedPostgres(): Promise<string> {
  shared ??= askForServer()
  return shared
}

async function askForServer(): Promise<string> {
  const response = await fetch(inject('postgres').url)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** A new database on the shared server. The caller drops it with `dropDatabase()`. */
export async function freshDatabase(): Promise<string> {
  return createDatabase(await sharedPostgres())
}

/** An empty database on the shared server for each test of the calling suite, which run one after the other. */
export function useDatabase(): { readonly url: string } {
  let url = ''
  beforeAll(async () => {
    url = await freshDatabase()
  })
  afterEach(() => emptyDatabase(url))
  afterAll(() => dropDatabase(url))
  return {
    get url() {
      return url
    },
  }
}
