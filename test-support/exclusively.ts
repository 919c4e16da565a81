import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openSqliteDatabase, type SqliteDatabase } from '@gatehouse/store-sqlite'

/** Below node_modules, so that git does not see it. */
const folder = fileURLToPath(new URL('../node_modules/.cache/gatehouse-locks/', import.meta.url))

const retryMs = 20

/**
 * Runs work that only one process of this machine may do at a time; other processes wait. The lock is SQLite's lock on a file, so
 * the system frees it when a process dies.
 */
export async function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const lock = openSqliteDatabase(join(folder, `${name}.db`), 0)
  try {
    while (!tryLock(lock)) await pause(retryMs)
    await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: SqliteDatabase): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && error.message === 'database is locked') return false
    throw error
  }
}
