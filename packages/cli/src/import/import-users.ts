import { existsSync } from 'node:fs'
import { isGatehouseError, type Logger, type Storage } from '@gatehouse/core'
import {
  type AuthContext,
  addAuthenticator,
  type ImportedUser,
  importUsers,
  type LoadedAuthConfig,
} from '@gatehouse/core/auth'
import { withAuth } from '../auth/with-auth.ts'
import { badNews } from '../config/exit-codes.ts'
import { counted } from '../counted.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { type Progress, withProgress } from '../log/progress.ts'
import { openStorage, type StorageChoice } from '../storage.ts'
import { userOfAuthgear } from './authgear.ts'
import { usersOfBetterAuth } from './better-auth.ts'
import { failureText } from './failure-text.ts'
import type { AliasOf, ForeignUser } from './foreign-user.ts'
import { readRecords, readTables } from './read-source.ts'
import { textOf } from './rows.ts'
import { createTrialStorage } from './trial-storage.ts'

/** The systems that users come from. */
export const sources = ['better-auth', 'authgear', 'gatehouse'] as const

/** Flags of `gatehouse import users`. */
export interface ImportFlags {
  readonly from: (typeof sources)[number]
  readonly config?: string
  readonly passwords?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** Imports the users in a file. Returns the exit code: 1 if a user could not be imported. */
export async function importUsersFrom(filename: string, flags: ImportFlags): Promise<number> {
  const { dryRun = false, config: file } = flags
  return withAuth({ file, open: dryRun ? openTrial : openStorage }, async ({ auth, config }) => {
    const users = readUsers(filename, flags, aliasOf(config))
    const { stored, present, failed } = await withProgress(
      (count) => `${dryRun ? 'checked' : 'imported'} ${count} of ${counted(users.length, 'user')}`,
      (progress) => storeUsers(auth, users, progress),
    )
    console.log(
      flags.json
        ? JSON.stringify({ users: users.length, stored, present, failed })
        : summaryOf({ stored, present, failed }, dryRun),
    )
    return failed === 0 ? 0 : badNews
  })
}

/** The storage for a dry run. A database file that is missing is not created. */
function openTrial(choice: StorageChoice, options: { readonly logger: Logger }): Storage {
  const isMissing = choice.kind === 'sqlite' && !existsSync(choice.filename)
  return createTrialStorage(openStorage(isMissing ? { kind: 'memory' } : choice, options))
}

function summaryOf({ stored, present, failed }: StoredUsers, dryRun: boolean): string {
  const imported = `${counted(stored, 'user')} ${dryRun ? 'can be imported' : 'imported'}`
  const others = `${present} already there, ${failed} ${dryRun ? 'would fail' : 'failed'}`
  return `${imported}, ${others}${dryRun ? '; nothing was stored' : ''}`
}

/** Providers are known by their alias, or by their type if one has it. */
export function aliasOf({ identity }: Pick<LoadedAuthConfig, 'identity'>): AliasOf {
  const { providers } = identity.oauth
  return (name) => {
    if (providers.some(({ alias }) => alias === name)) return name
    const type = name === 'microsoft' ? 'azureadv2' : name
    const ofType = providers.filter((one) => one.type === type)
    const [only] = ofType
    return only === undefined || ofType.length > 1 ? name : only.alias
  }
}

function readUsers(
  filename: string,
  { from, passwords }: ImportFlags,
  aliasOf: AliasOf,
): readonly ForeignUser[] {
  if (from === 'better-auth') {
    const secret = process.env.BETTER_AUTH_SECRET
    return usersOfBetterAuth(readTables(filename), { aliasOf, secret, now: Date.now() })
  }
  const records = readRecords(filename)
  // The import checks them.
  if (from === 'gatehouse') return records.map((user) => ({ user: user as ImportedUser }))
  const rows = passwords === undefined ? [] : readRecords(passwords)
  const byUser = new Map(rows.map((row) => [textOf(row.user_id) ?? '', row]))
  return records.map((row) => userOfAuthgear(row, { aliasOf, passwords: byUser }))
}

const batchSize = 100

/** The numbers of users. */
export interface StoredUsers {
  readonly stored: number
  readonly present: number
  readonly failed: number
}

/** Stores users. Each one that fails is printed with its number and id, without its data. */
export async function storeUsers(
  auth: AuthContext,
  users: readonly ForeignUser[],
  progress?: Progress,
): Promise<StoredUsers> {
  let [stored, present, failed] = [0, 0, 0]
  for (let start = 0; start < users.length; start += batchSize) {
    progress?.at(start)
    const batch = users.slice(start, start + batchSize)
    const outcomes = await importUsers(
      auth,
      batch.map(({ user }) => user),
    )
    for (const [index, outcome] of outcomes.entries()) {
      const one = batch[index]
      if (one === undefined) continue
      for (const note of one.notes ?? []) printNote(start + index, one, note)
      if (outcome.outcome === 'inserted') {
        stored++
        await addMore(auth, outcome.user_id, one)
      } else if (isCause(outcome.error.info.cause, 'DuplicatedUser')) {
        present++
      } else {
        failed++
        printNote(start + index, one, failureText(outcome.error))
      }
    }
  }
  return { stored, present, failed }
}

async function addMore(auth: AuthContext, userId: string, one: ForeignUser): Promise<void> {
  for (const authenticator of one.more ?? []) {
    try {
      await addAuthenticator(auth, userId, authenticator)
    } catch (error) {
      if (!isGatehouseError(error)) throw error
      writeErrorLine(
        `user ${userId}: a further ${authenticator.type} is left out: ${failureText(error)}\n`,
      )
    }
  }
}

const isCause = (cause: unknown, kind: string): boolean =>
  typeof cause === 'object' && cause !== null && 'kind' in cause && cause.kind === kind

function printNote(index: number, { user }: ForeignUser, note: string): void {
  const id = typeof user.id === 'string' ? ` (${user.id.slice(0, 64)})` : ''
  writeErrorLine(`user ${index + 1}${id}: ${note}\n`)
}
