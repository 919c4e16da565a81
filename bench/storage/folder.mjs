// A temporary folder that is removed when the benchmark ends, however it ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @returns {{ path: string, remove: () => void }} */
export function makeFolder() {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const remove = () => {
    process.removeListener('exit', remove)
    // A server that has just ended may still be writing.
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  }
  process.once('exit', remove)
  return { path, remove }
}
