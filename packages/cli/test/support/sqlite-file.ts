import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Database } from '../../../../test-support/sqlite.ts'
import { temporaryFolder } from './server.ts'

/**
 * The result of SQLite's integrity check for every database file of a folder, `ok` if it is sound. Checks a copy, so that the
 * next process finds the files as the last one left them.
 *
 * @throws {Error} if the folder has no database file.
 */
export async function integrityOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const copy = await temporaryFolder()
  try {
    await cp(folder, copy, { recursive: true })
    const found: Record<string, unknown> = {}
    for (const name of await readdir(copy)) {
      if (!(await isDatabase(join(copy, name)))) continue
      const database = new Database(join(copy, name))
      found[name] = database.value('PRAGMA integrity_check')
      database.close()
    }
    if (Object.keys(found).length === 0) throw new Error(`no SQLite database in ${folder}`)
    return found
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function isDatabase(file: string): Promise<boolean> {
  const start = await readFile(file).catch(() => Buffer.alloc(0))
  return start.subarray(0, 15).toString('latin1') === 'SQLite format 3'
}
