import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'

/** Identifies a version of a file. */
export interface FileFacts {
  readonly isFile: boolean
  readonly isFolder: boolean
  /** Identifies the file, whatever its path. */
  readonly identity: string
  /** Changes with the content and the permissions, in ms. */
  readonly changedAt: number
}

/** The facts of the file at a path; `undefined` if there is none, or it is not accessible. */
export function fileFacts(path: string): FileFacts | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    return {
      isFile: stats.isFile(),
      isFolder: stats.isDirectory(),
      identity: `${stats.dev}:${stats.ino}`,
      changedAt: stats.ctimeMs,
    }
  } catch {
    return undefined
  }
}

/** Whether this process has the permission to execute a file. */
export function mayExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The first bytes of a file; `undefined` if it cannot be read. */
export function readStart(path: string, length: number): Uint8Array | undefined {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY)
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, 0))
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Reads a text file such as those in `/proc`; `undefined` if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

/** The target of a link; `undefined` if it cannot be read. */
export function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const prefix = 'gatehouse-'

/** Whether {@link makeFolder} may have made this folder. */
export const isOurs = (name: string): boolean => name.startsWith(prefix)

/** Creates a private folder in the first parent that accepts one. */
export function makeFolder(parents: readonly string[]): string | undefined {
  for (const parent of parents) {
    try {
      return mkdtempSync(`${parent}/${prefix}`)
    } catch {
      // Try the next one.
    }
  }
  return undefined
}

/** Removes a file or a folder with its content, if it exists and permissions allow it. */
export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Another user owns the folder now; only empty pipes remain in it.
  }
}

/** Removes the name of an open pipe, so that no other process can open it by its path. */
export function unname(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The folder was emptied.
  }
}

/** Opens a named pipe without blocking. Writing requires a reader. */
export function openPipe(path: string, access: 'read' | 'write' | 'both'): number {
  const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants
  const flags = { read: O_RDONLY, write: O_WRONLY, both: O_RDWR }
  return openSync(path, flags[access] | O_NONBLOCK)
}

/** Both ends of a named pipe. */
export interface PipeEnds {
  readonly reader: number
  readonly writer: number
}

/** Opens both ends of an unused named pipe: a blocking reader for another process, and a non-blocking writer for this one. */
export function openPipeEnds(path: string): PipeEnds {
  const opened: number[] = []
  try {
    // An end can be opened without blocking only while the other is open.
    const both = openPipe(path, 'both')
    opened.push(both)
    const reader = openSync(path, constants.O_RDONLY)
    opened.push(reader)
    const writer = openPipe(path, 'write')
    closePipe(both)
    return { reader, writer }
  } catch (error) {
    for (const fd of opened) closePipe(fd)
    throw error
  }
}

/** Opens both ends of an unused named pipe: a non-blocking reader for this process, and a writer for another one. */
export function openReadingEnds(path: string): PipeEnds {
  const reader = openPipe(path, 'read')
  try {
    return { reader, writer: openSync(path, constants.O_WRONLY) }
  } catch (error) {
    closePipe(reader)
    throw error
  }
}

export function closePipe(fd: number): void {
  closeSync(fd)
}

/** Writes a text into a pipe; returns `false` if only part of it was written. */
export function writePipe(fd: number, text: string): boolean {
  try {
    return writeSync(fd, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

/**
 * Reads from a pipe without blocking.
 *
 * @returns the number of bytes; `empty` if there are none now, `ended` if no process has it open for writing.
 */
export function readPipe(fd: number, into: Uint8Array): number | 'ended' | 'empty' {
  try {
    const length = readSync(fd, into, 0, into.length, null)
    return length > 0 ? length : 'ended'
  } catch (error) {
    const isEmpty = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    return isEmpty ? 'empty' : 'ended'
  }
}
