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

/** What makes two looks at a file see the same one, unchanged. */
export interface FileFacts {
  readonly isFile: boolean
  readonly isFolder: boolean
  /** Of the file, whatever its path; another one for another file. */
  readonly identity: string
  /** Moves with the content and the permissions, in ms. */
  readonly changedAt: number
}

/** What is at a path; `undefined` if nothing is, or nothing this process may see. */
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

/** Whether this process may execute a file, by its permissions. */
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

/** The text of a file such as those of `/proc`; `undefined` if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

/** Where a link leads; `undefined` if it cannot be read. */
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

/** Whether a folder may have been made by {@link makeFolder}. */
export const isOurs = (name: string): boolean => name.startsWith(prefix)

/** Makes a private folder in the first of some folders that takes one. */
export function makeFolder(parents: readonly string[]): string | undefined {
  for (const parent of parents) {
    try {
      return mkdtempSync(`${parent}/${prefix}`)
    } catch {
      // The next may do.
    }
  }
  return undefined
}

/** Removes a file or a folder with all that is in it, if it is there and this process may. */
export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Somebody has taken the folder over; what is left in it is empty pipes.
  }
}

/** Takes the name of an open pipe away: nobody else can open it by its path. */
export function unname(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Somebody has cleared the folder.
  }
}

/** Opens a named pipe without waiting for its other side. To write needs somebody who reads. */
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

/** Opens both ends of a named pipe that nobody has open: for another process, which waits for what comes, and to write without waiting here. */
export function openPipeEnds(path: string): PipeEnds {
  const opened: number[] = []
  try {
    // One end can be opened without waiting only while there is another.
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

/** Opens both ends of a named pipe that nobody has open: to read without waiting here, and for another process to write. */
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

/** Writes a text into a pipe; false if it did not take all of it. */
export function writePipe(fd: number, text: string): boolean {
  try {
    return writeSync(fd, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

/**
 * Reads from a pipe without waiting.
 *
 * @returns how many bytes; `empty` if there are none now, `ended` if there will be none, as nobody has it open to write.
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
