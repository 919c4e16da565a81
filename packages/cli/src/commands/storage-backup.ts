import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { allCollections as collections } from '../all-collections.ts'
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
import { counted } from '../counted.ts'
import { paintError } from '../log/color.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { startProgress, withProgress } from '../log/progress.ts'

/** Flags of `gatehouse storage backup`. */
export interface BackupFlags extends StoragePlaceFlags {
  readonly to: string
  readonly json?: boolean
}

/** Flags of `gatehouse storage restore`. */
export interface RestoreFlags extends StoragePlaceFlags {
  readonly from: string
  readonly json?: boolean
}

/** Flags of `gatehouse storage verify`. */
export interface VerifyFlags extends StoragePlaceFlags {
  readonly from?: string
  readonly json?: boolean
}

/** The most problems that `verify` prints. */
const maxProblems = 100

const say = (line: string): void => writeErrorLine(`${line}\n`)

/** `gatehouse storage backup` */
export async function saveBackup(flags: BackupFlags): Promise<number> {
  const place = await storagePlaceOf(flags)
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  await readPlace(place, async (snapshot) => {
    for (const name of unknownOf(snapshot.collections)) {
      say(`left out "${name}", which is unknown to this version`)
    }
    const lines = backupLines(snapshot, { collections, createdAt: Date.now(), counts })
    await withProgress(
      (count) => `saved ${counted(count, 'record')}`,
      (progress) =>
        write(
          flags.to,
          reported(lines, () => progress.at(counts.records)),
        ),
    )
  })
  if (counts.unreadable > 0) {
    say(
      `${counted(counts.unreadable, 'record')} without valid JSON: the backup holds the stored text, and restore leaves it out`,
    )
  }
  say(`saved ${counted(counts.records, 'record')}`)
  if (flags.json && flags.to !== '-') console.log(JSON.stringify({ file: flags.to, ...counts }))
  return 0
}

/** Calls `report` for each item that is taken. */
async function* reported<T>(items: AsyncIterable<T>, report: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    report()
    yield item
  }
}

const unknownOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => collections.every((collection) => collection.name !== name))

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

/** `gatehouse storage restore` */
export async function restoreFile(flags: RestoreFlags): Promise<number> {
  const place = await storagePlaceOf(flags)
  // Reads the whole backup before the first write, so that a truncated one changes nothing.
  const { unknown } = await verifyFile(flags.from)
  const [name] = unknown
  if (name !== undefined) throw unknownCollection(name)
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  const records = readBackup(linesOf(flags.from), counts)
  const { written, expired, unusable } = await withProgress(
    (count) => `restored ${counted(count, 'record')}`,
    (progress) =>
      fillPlace(place, (storage) =>
        restoreBackup(
          storage,
          reported(records, () => progress.at(counts.records)),
          { collections, now: Date.now() },
        ),
      ),
  )
  if (unusable > 0)
    say(
      `left out ${counted(unusable, 'record')} that cannot be stored: \`gatehouse storage verify\` lists the problems`,
    )
  say(`restored ${counted(written, 'record')}, left out ${counted(expired, 'expired record')}`)
  if (flags.json) console.log(JSON.stringify({ written, expired, unusable }))
  return 0
}

/** `gatehouse storage verify` */
export async function verifyPlace(flags: VerifyFlags): Promise<number> {
  const { problems, unknown, records } =
    flags.from === undefined
      ? await readPlace(await storagePlaceOf(flags), (snapshot) =>
          withProgress(checkedLine, (progress) => verifySnapshot(snapshot, collections, progress)),
        )
      : await verifyFile(flags.from)
  const exitCode = problems.length === 0 ? 0 : badNews
  if (flags.json) {
    console.log(JSON.stringify({ records, problems, unchecked: unknown }))
    return exitCode
  }
  for (const name of unknown) say(`did not check "${name}", which is unknown to this version`)
  for (const problem of problems.slice(0, maxProblems)) say(paintError('bad', problem))
  if (problems.length > maxProblems) say(`and ${problems.length - maxProblems} more`)
  say(`${counted(records, 'record')}, ${counted(problems.length, 'problem')}`)
  return exitCode
}

const checkedLine = (count: number): string => `checked ${counted(count, 'record')}`

async function verifyFile(filename: string): Promise<Verified> {
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  const byName = new Map(collections.map((collection) => [collection.name, collection]))
  const problems: string[] = []
  const unknown = new Set<string>()
  const progress = startProgress(checkedLine)
  try {
    for await (const record of readBackup(linesOf(filename), counts)) {
      progress.at(counts.records)
      const { collection: name, id, version, value } = record
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
  } finally {
    progress.end()
  }
  return { records: counts.records, problems, unknown: [...unknown] }
}
