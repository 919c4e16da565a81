import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gatehouse/core'
import { afterAll, beforeAll } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'
import type { TypedCollection, TypedRecord } from '../src/storage/collection.ts'

/** A program that is killed repeatedly while it uses one SQLite file. */
export interface CrashingProgram {
  /** The path of the file, which exists once the program has run. */
  filename(): string
  /** Starts the program once for each number, and kills it after that many lines. Returns all lines. */
  crash(afterLines: readonly number[]): Promise<readonly string[]>
}

/** Sets up a program from a fixture, for the tests of one file. */
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
      const written: string[] = []
      for (const [round, lines] of afterLines.entries()) {
        const running = startFixture(program, [filename(), String(round)])
        await running.hasWritten(lines)
        await running.kill()
        written.push(...running.lines)
      }
      return written
    },
  }
}

/** Returns every record of a collection. */
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
