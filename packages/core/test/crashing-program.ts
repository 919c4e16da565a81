import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { afterAll, beforeAll } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import type { TypedCollection, TypedRecord } from '../src/storage/collection.ts'

/** A program that is killed again and again over one SQLite file. */
export interface CrashingProgram {
  /** The file; there once the program has run. */
  filename(): string
  /** Starts it once for each number, kills it when it has written so many lines, and answers all it has written. */
  crash(afterLines: readonly number[]): Promise<readonly string[]>
}

/** A program of a fixture, for the tests of one file. */
export function useCrashingProgram(fixture: URL): CrashingProgram {
  let program: string
  let folder: string
  beforeAll(async () => {
    program = await bundleFixture(fixture)
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-crash-'))
  })
  afterAll(async () => {
    await rm(program)
    await rm(folder, { recursive: true })
  })
  const filename = (): string => join(folder, 'auth.db')
  return {
    filename,
    async crash(afterLines) {
      const told: string[] = []
      for (const [round, lines] of afterLines.entries()) {
        const running = startFixture(program, [filename(), String(round)])
        await running.hasWritten(lines)
        await running.kill()
        told.push(...running.lines)
      }
      return told
    },
  }
}

/** Every record of a collection, however many there are. */
export async function allOf<T>(
  storage: Storage,
  collection: TypedCollection<T>,
): Promise<readonly TypedRecord<T>[]> {
  const records: TypedRecord<T>[] = []
  for (;;) {
    const last = records.at(-1)
    const after = last === undefined ? {} : { after: { key: last.id, id: last.id } }
    const page = await collection.find(storage, { by: 'id', limit: 10_000, ...after })
    if (page.length === 0) return records
    records.push(...page)
  }
}
