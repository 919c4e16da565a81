import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file beside the database that holds room on the disk, to be given up when the disk is full. */
export interface Reserve {
  /** Makes the file if it is missing and the disk has plenty of room. Never throws: the database works without it. */
  keep(): void
  /** Removes the file. @returns whether there was one. */
  release(): boolean
}

/** A disk has plenty of room if this many reserves fit on it. */
const plenty = 4

/** Where nothing is kept: for databases in memory, and those that somebody else opened. */
export const noReserve: Reserve = { keep: () => {}, release: () => false }

/** A {@link Reserve} of so many bytes, beside the database of this name. */
export function createReserve(filename: string, bytes: number): Reserve {
  if (bytes === 0 || filename === '' || filename === ':memory:') return noReserve
  const path = `${filename}-reserve`
  return {
    keep() {
      try {
        const { bavail, bsize } = statfsSync(dirname(path))
        if (bavail * bsize >= plenty * bytes) fill(openSync(path, 'wx', 0o600), path, bytes)
      } catch {
        // It is there already, or cannot be made here.
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

/** Writes random bytes, as a file system that compresses would keep no room for others. */
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
