import { type SpawnOptions, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** The account that a program runs as; empty for the current user. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** An account for programs that refuse to run as root: the current user, or for root an existing other account. */
export async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => {
    const [name, , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
  const usable = accounts.filter(({ uid, gid }) => uid > 0 && gid > 0)
  const found = usable.find(({ name }) => name === 'nobody') ?? usable[0]
  if (found === undefined) throw new Error('this is root, and there is no other account')
  return { uid: found.uid, gid: found.gid }
}

/** Starts a program as `account`, in a folder that every account can read, with an empty environment. */
export const optionsOf = (account: Account): SpawnOptions => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
})

/** Runs a program to its end. */
export async function runAs(
  account: Account,
  file: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(file, args, { ...optionsOf(account), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-10_000)
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  return { code, output }
}
