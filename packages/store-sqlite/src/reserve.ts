import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file beside the database that keeps room on the disk, to be deleted when the disk is full. */
export interface Reserve {
  /** Creates the file if it is missing and the disk has plenty of room. Never throws, because the database works without it. */
  keep(): void
  /** Deletes the file. @returns whether it existed. */
  release(): boolean
}

/** A disk has plenty of room if it can hold this many reserves. */
const plenty = 4

/** A reserve that does nothing, for databases in memory and for given connections. */
export const noReserve: Reserve = { keep: () => {}, release: () => false }

/** Creates a {@link Reserve} of this size, beside the database of this name. */
export function createReserve(filename: string, bytes: number): Reserve {
  if (bytes === 0 || filename === '' || filename === ':memory:') return noReserve
  const path = `${filename}-reserve`
  return {
    keep() {
      try {
        const { bavail, bsize } = statfsSync(dirname(path))
        if (bavail * bsize >= plenty * bytes) fill(openSync(path, 'wx', 0o600), path, bytes)
      } catch {
        // It exists already, or cannot be created here.
      }
    },

    release() {
      try {
        rmSync(path)
        return true
      } catch {
        return false
      }
    },
  }
}

/** Fills the file with random bytes, because a compressing file system would reserve no room for others. */
function fill(file: number, path: string, bytes: number): void {
  const piece = crypto.getRandomValues(new Uint8Array(65_536))
  try {
    for (let written = 0; written < bytes; ) {
      written += writeSync(file, piece, 0, Math.min(piece.length, bytes - written))
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
