import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'

/** A file system of a few megabytes, in memory. */
export interface SmallDisk {
  readonly folder: string
  /** Writes a file until not one more byte fits. */
  fill(): void
  /** Removes that file. */
  clear(): void
  /** Unmounts it; a file that is still open disappears when it is closed. */
  remove(): void
}

/** Mounts a disk of this many megabytes. @throws {Error} if this user may not mount. */
export function createSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  const filler = join(folder, 'filler')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'pipe',
    })
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    folder,
    fill: () => fillUp(filler),
    clear: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

function fillUp(path: string): void {
  const file = openSync(path, 'a')
  const page = new Uint8Array(4_096)
  try {
    for (;;) writeSync(file, page)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

function canMount(): boolean {
  try {
    createSmallDisk(1).remove()
    return true
  } catch {
    return false
  }
}

/** A suite whose tests fill a disk. If this user cannot mount one, the tests are skipped, and the name says why. */
export function describeWithSmallDisk(name: string, body: () => void): void {
  if (canMount()) describe(name, body)
  else describe.skip(`${name} (skipped: this user cannot mount a tmpfs)`, body)
}
