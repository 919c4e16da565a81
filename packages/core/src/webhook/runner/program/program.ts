import { constants, type Stats } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { pathFrom } from '../../../document/path.ts'

/** A program that can be started, or why there is none; the text names no path. */
export type FoundProgram =
  | {
      /** Absolute path. */
      readonly program: string
      /** What comes before the arguments: for a script without a `#!` line, which a shell runs, its path. */
      readonly prefix: readonly string[]
    }
  | { readonly problem: string }

/** Where programs are searched if there is no PATH. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

const shell = '/bin/sh'

/**
 * Finds the program of a command. With a slash in it, it counts from `workdir`; else the folders of `path` are searched, the
 * relative ones of which count from `workdir` too. What was found before is found again without a search, as long as that
 * file has not changed.
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
  // A PATH can come out of a request, so neither the number nor the length of keys may grow.
  if (remembered.size >= mostRemembered) remembered.clear()
  if (key.length <= longestKey) remembered.set(key, result)
  return result.found
}

/** Why a command cannot run in a folder; `undefined` if it can. The text names no path. */
export async function checkWorkdir(workdir: string): Promise<string | undefined> {
  try {
    // Whoever may not search a folder, or has none, does not get to its dot.
    await access(`${workdir}/.`, constants.F_OK)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTDIR') return 'the workdir is no folder'
    return code === 'EACCES' ? 'the workdir cannot be entered' : 'the workdir does not exist'
  }
}

/** A program, and what its file was like when it was looked at. */
interface Program {
  readonly kind: 'program'
  readonly found: Exclude<FoundProgram, { problem: string }>
  readonly file: string
  readonly stats: Stats
}

interface NoProgram {
  readonly kind: 'absent' | 'folder' | 'not executable'
  /** If there is more to say than that. */
  readonly problem?: string
}

const problems = {
  absent: 'the program was not found',
  folder: 'the program is a folder',
  'not executable': 'the program is not executable',
} as const

const mostRemembered = 1_000
const longestKey = 4_096
/** Programs that were found. Facts about the disk, the same for every service of the process. */
const remembered = new Map<string, Program>()

const stamps = ['dev', 'ino', 'mode', 'size', 'ctimeMs'] as const

/** The change time moves with everything, but no finer than the clock of the system ticks. */
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

/** Whether the kernel would not know how to start a file, but a shell would: text without a `#!` line. */
async function isBareScript(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined)
  // A program can be started without being readable; a shell could not read it either.
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
