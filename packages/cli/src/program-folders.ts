import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSea } from 'node:sea'

/** What is known of how this program was started. */
export interface ProgramStart {
  /** The file that is run by the system: Node.js, or a build that is one single file. */
  readonly execPath: string
  /** Whether it is such a build. */
  readonly isSingleFile: boolean
  /** The program as it was named, which may be a link. */
  readonly invokedAs: string | undefined
}

/** How this process was started. */
export const thisStart: ProgramStart = {
  execPath: process.execPath,
  isSingleFile: isSea(),
  invokedAs: process.argv[1],
}

/** The folders of the program, the likeliest place of its configuration first: where it was invoked, where it really is. */
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
    return path // started without its ending, as `node dist/main`
  }
}
