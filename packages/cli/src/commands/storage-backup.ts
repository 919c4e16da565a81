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
import { paintError } from '../log/color.ts'
import { writeErrorLine } from '../log/line-writer.ts'

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
const mostProblems = 100

const say = (line: string): void => writeErrorLine(`${line}\n`)

/** `gatehouse storage backup` */
export async function saveBackup(flags: BackupFlags): Promise<number> {
  const place = await storagePlaceOf(flags)
  const counts: BackupCounts = { records: 0, unreadable: 0 }
  await readPlace(place, async (snapshot) => {
    for (const name of unknownOf(snapshot.collections)) {
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
  const records = readBackup(linesOf(flags.from), { records: 0, unreadable: 0 })
  const { written, expired, unusable } = await fillPlace(place, (storage) =>
    restoreBackup(storage, records, { collections, now: Date.now() }),
  )
  if (unusable > 0) say(`left out ${unusable} records that cannot be stored: verify lists them`)
  say(`restored ${written} records, left out ${expired} expired ones`)
  if (flags.json) console.log(JSON.stringify({ written, expired, unusable }))
  return 0
}

/** `gatehouse storage verify` */
export async function verifyPlace(flags: VerifyFlags): Promise<number> {
  const { problems, unknown, records } =
    flags.from === undefined
      ? await readPlace(await storagePlaceOf(flags), (snapshot) =>
          verifySnapshot(snapshot, collections),
        )
      : await verifyFile(flags.from)
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

async function verifyFile(filename: string): Promise<Verified> {
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
