import { constants, type Stats } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { pathFrom } from '../../../document/path.ts'

/** A program that can be started, or the reason why not; the text contains no path. */
export type FoundProgram =
  | {
      /** Absolute path. */
      readonly program: string
      /** The words before the arguments: the path of a script without a `#!` line, which a shell runs. */
      readonly prefix: readonly string[]
    }
  | { readonly problem: string }

/** The search path without a PATH. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

const shell = '/bin/sh'

/**
 * Finds the program of a command. A command with a slash is relative to `workdir`; otherwise the folders of `path` are searched,
 * and relative ones start at `workdir` too. A found program is cached as long as its file has not changed.
 */
export async function findProgram(
  command: string,
  workdir: string,
  path: string | undefined,
): Promise<FoundProgram> {
  const folders = path === undefined || path === '' ? defaultPath : path
  const key = `${command}\0${workdir}\0${folders}`
  const known = remembered.get(key)
  if (known !== undefined && (await isUnchanged(known))) return known.found
  remembered.delete(key)
  const result = command.includes('/')
    ? await lookAt(pathFrom(workdir, command))
    : await search(command, workdir, folders)
  if (result.kind !== 'program') return { problem: result.problem ?? problems[result.kind] }
  // A PATH can come from requests, so the number and length of keys must be limited.
  if (remembered.size >= maxRemembered) remembered.clear()
  if (key.length <= maxKeyLength) remembered.set(key, result)
  return result.found
}

/** The reason why a command cannot run in a folder; `undefined` if it can. The text contains no path. */
export async function checkWorkdir(workdir: string): Promise<string | undefined> {
  try {
    // Accessing `.` requires the permission to search the folder.
    await access(`${workdir}/.`, constants.F_OK)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTDIR') return 'the workdir is not a folder'
    return code === 'EACCES' ? 'the workdir cannot be entered' : 'the workdir does not exist'
  }
}

/** A program, and the state of its file at the time of the check. */
interface Program {
  readonly kind: 'program'
  readonly found: Exclude<FoundProgram, { problem: string }>
  readonly file: string
  readonly stats: Stats
}

interface NoProgram {
  readonly kind: 'absent' | 'folder' | 'not executable'
  /** A more specific problem. */
  readonly problem?: string
}

const problems = {
  absent: 'the program was not found',
  folder: 'the program is a folder',
  'not executable': 'the program is not executable',
} as const

const maxRemembered = 1_000
const maxKeyLength = 4_096
/** Caches found programs for all services of the process. */
const remembered = new Map<string, Program>()

const stamps = ['dev', 'ino', 'mode', 'size', 'ctimeMs'] as const

/** The change time covers every change, but only at the resolution of the system clock. */
async function isUnchanged({ file, stats }: Program): Promise<boolean> {
  try {
    const now = await stat(file)
    return stamps.every((stamp) => now[stamp] === stats[stamp])
  } catch {
    return false
  }
}

async function search(
  command: string,
  workdir: string,
  folders: string,
): Promise<Program | NoProgram> {
  let isBlocked = false
  for (const folder of folders.split(':')) {
    const result = await lookAt(pathFrom(pathFrom(workdir, folder), command))
    if (result.kind === 'program') return result
    if (result.kind === 'not executable') isBlocked = true
  }
  if (isBlocked) return { kind: 'not executable' }
  const local = await lookAt(pathFrom(workdir, command))
  const hint = local.kind === 'program' ? `, but in the workdir: write ./${command}` : ''
  return { kind: 'absent', problem: `the program is not in PATH${hint}` }
}

async function lookAt(file: string): Promise<Program | NoProgram> {
  let stats: Stats
  try {
    stats = await stat(file)
    if (stats.isDirectory()) return { kind: 'folder' }
    if (!stats.isFile()) return { kind: 'not executable' }
    await access(file, constants.X_OK)
  } catch (error) {
    return { kind: codeOf(error) === 'EACCES' ? 'not executable' : 'absent' }
  }
  const isBare = await isBareScript(file)
  const found = isBare ? { program: shell, prefix: [file] } : { program: file, prefix: [] }
  return { kind: 'program', found, file, stats }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

const looked = 128

/** Whether the kernel could not start a file, but a shell could: text without a `#!` line. */
async function isBareScript(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined)
  // An unreadable program can be started, but a shell could not read it either.
  if (handle === undefined) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(looked), 0, looked, 0)
    const start = buffer.subarray(0, bytesRead)
    return !start.subarray(0, 2).equals(interpreterMark) && !start.includes(0)
  } finally {
    await handle.close()
  }
}

const interpreterMark = Buffer.from('#!')
