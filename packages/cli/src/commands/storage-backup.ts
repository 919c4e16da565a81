import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Collection } from '@gatehouse/core/store'
import { Command } from 'commander'
import { type BackupCounts, backupLines, readBackup } from '../backup/backup-file.ts'
import { linesOf } from '../backup/lines.ts'
import { publishFile, refuseExisting } from '../backup/publish-file.ts'
import { restoreBackup, unknownCollection } from '../backup/restore-backup.ts'
import {
  fillPlace,
  readPlace,
  type StoragePlaceFlags,
  storagePlaceOf,
} from '../backup/storage-place.ts'
import { recordProblem, type Verified, verifySnapshot } from '../backup/verify-snapshot.ts'
import { fileProblem } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { paintError } from '../log/color.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { runCommand } from '../run-command.ts'

interface BackupFlags extends StoragePlaceFlags {
  readonly to: string
  readonly json?: boolean
}

interface RestoreFlags extends StoragePlaceFlags {
  readonly from: string
  readonly json?: boolean
}

interface VerifyFlags extends StoragePlaceFlags {
  readonly from?: string
  readonly json?: boolean
}

/** The most problems that `verify` prints. */
const mostProblems = 100

/** `gatehouse storage backup`, `restore` and `verify`, for the given collections. */
export function backupCommands(collections: readonly Collection[]): readonly Command[] {
  const backup = new Command('backup')
    .description('Save all data of a storage to a file. Servers may keep running.')
    .requiredOption('--to <file>', 'the file to write, which must not exist; - for standard output')
    .option('--json', 'print the counts as JSON, unless the backup goes to standard output')
  addPlaceFlags(backup).action(() =>
    runCommand(() => saveBackup(backup.opts<BackupFlags>(), collections)),
  )
  const restore = new Command('restore')
    .description('Restore such a file into an empty storage, of either kind.')
    .requiredOption('--from <file>', 'the file that backup wrote')
    .option('--json', 'print the counts as JSON')
  addPlaceFlags(restore).action(() =>
    runCommand(() => restoreFile(restore.opts<RestoreFlags>(), collections)),
  )
  const verify = new Command('verify')
    .description('Print every problem of a storage or a backup. Servers may keep running.')
    .option('--from <file>', 'check this backup file instead of a storage')
    .option('--json', 'print all problems as JSON')
  addPlaceFlags(verify).action(() =>
    runCommand(() => verifyPlace(verify.opts<VerifyFlags>(), collections)),
  )
  return [backup, restore, verify]
}

function addPlaceFlags(command: Command): Command {
  return command
    .option('--config <file>', 'use the storage of this `gatehouse api` file')
    .option(
      '--sqlite <file>',
      'the database file, such as data/gatehouse.db of `gatehouse alertmanager`',
    )
    .option('--url <url>', 'the database, as postgres://user@host:5432/name')
    .option(
      '--schema <name>',
      'the schema of the tables (default: the first one of the connection)',
    )
    .option('--prefix <text>', 'the prefix of all table names (default: gatehouse_)')
}

const say = (line: string): void => writeErrorLine(`${line}\n`)

async function saveBackup(flags: BackupFlags, collections: readonly Collection[]): Promise<number> {
  const place = await storagePlaceOf(flags)
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  await readPlace(place, async (snapshot) => {
    for (const name of unknownOf(snapshot.collections, collections)) {
      say(`left out "${name}", which this version does not know`)
    }
    await write(flags.to, backupLines(snapshot, { collections, createdAt: Date.now(), counts }))
  })
  if (counts.unreadable > 0) {
    say(
      `${counts.unreadable} records are not JSON: the backup holds their text, restore leaves them out`,
    )
  }
  say(`saved ${counts.records} records`)
  if (flags.json && flags.to !== '-') console.log(JSON.stringify({ file: flags.to, ...counts }))
  return 0
}

const unknownOf = (names: readonly string[], known: readonly Collection[]): readonly string[] =>
  names.filter((name) => known.every((collection) => collection.name !== name))

/** The file gets its name once it is complete and synced to disk. */
async function write(to: string, lines: AsyncIterable<string>): Promise<void> {
  if (to === '-') {
    for await (const line of lines) {
      if (!process.stdout.write(line)) await once(process.stdout, 'drain')
    }
    return
  }
  refuseExisting(to)
  const draft = `${to}.part`
  try {
    await pipeline(
      Readable.from(lines),
      createWriteStream(draft, { mode: 0o600, flags: 'w', flush: true }),
    )
    publishFile(draft, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`${to}: ${fileProblem(error)}`, { cause: error })
  } finally {
    rmSync(draft, { force: true })
  }
}

async function restoreFile(
  flags: RestoreFlags,
  collections: readonly Collection[],
): Promise<number> {
  const place = await storagePlaceOf(flags)
  // Reads the whole backup before the first write, so that a truncated one changes nothing.
  const { unknown } = await verifyFile(flags.from, collections)
  const [name] = unknown
  if (name !== undefined) throw unknownCollection(name)
  const records = readBackup(linesOf(flags.from), { records: 0, unreadable: 0 })
  const { written, expired, unusable } = await fillPlace(place, (storage) =>
    restoreBackup(storage, records, { collections, now: Date.now() }),
  )
  if (unusable > 0) say(`left out ${unusable} records that cannot be stored: verify lists them`)
  say(`restored ${written} records, left out ${expired} expired ones`)
  if (flags.json) console.log(JSON.stringify({ written, expired, unusable }))
  return 0
}

async function verifyPlace(
  flags: VerifyFlags,
  collections: readonly Collection[],
): Promise<number> {
  const { problems, unknown, records } =
    flags.from === undefined
      ? await readPlace(await storagePlaceOf(flags), (snapshot) =>
          verifySnapshot(snapshot, collections),
        )
      : await verifyFile(flags.from, collections)
  const exitCode = problems.length === 0 ? 0 : badNews
  if (flags.json) {
    console.log(JSON.stringify({ records, problems, unchecked: unknown }))
    return exitCode
  }
  for (const name of unknown) say(`did not check "${name}", which this version does not know`)
  for (const problem of problems.slice(0, mostProblems)) say(paintError('bad', problem))
  if (problems.length > mostProblems) say(`and ${problems.length - mostProblems} more`)
  say(`${records} records, ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}`)
  return exitCode
}

async function verifyFile(filename: string, collections: readonly Collection[]): Promise<Verified> {
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  const byName = new Map(collections.map((collection) => [collection.name, collection]))
  const problems: string[] = []
  const unknown = new Set<string>()
  try {
    for await (const { collection: name, id, version, value } of readBackup(
      linesOf(filename),
      counts,
    )) {
      const collection = byName.get(name)
      if (collection === undefined) unknown.add(name)
      else {
        const problem = recordProblem(collection, { id, version, value })
        if (problem !== undefined) problems.push(`${name} ${JSON.stringify(id)}: ${problem}`)
      }
    }
  } catch (error) {
    const isOfFile = (error as NodeJS.ErrnoException).syscall !== undefined
    const problem = isOfFile ? fileProblem(error) : error instanceof Error ? error.message : error
    throw new Error(`${filename}: ${problem}`, { cause: error })
  }
  return { records: counts.records, problems, unknown: [...unknown] }
}
