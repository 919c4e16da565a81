import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSea } from 'node:sea'

/** How this program was started. */
export interface ProgramStart {
  /** The file that the system runs: Node.js, or a single-file build. */
  readonly execPath: string
  /** Whether it is a single-file build. */
  readonly isSingleFile: boolean
  /** The program as the user named it, possibly a link. */
  readonly invokedAs: string | undefined
}

/** How this process was started. */
export const thisStart: ProgramStart = {
  execPath: process.execPath,
  isSingleFile: isSea(),
  invokedAs: process.argv[1],
}

/** The folders of the program, most likely place of its configuration first: where it was invoked, then where it really is. */
export function programFolders({
  execPath,
  isSingleFile,
  invokedAs,
}: ProgramStart): readonly string[] {
  const program = isSingleFile ? execPath : invokedAs
  if (program === undefined) return []
  const path = resolve(program)
  const folders = [dirname(path), dirname(realPathOf(path))]
  return [...new Set(folders)]
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // started without its extension, as `node dist/main`
  }
}
