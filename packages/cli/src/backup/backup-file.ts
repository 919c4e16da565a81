import { createHash, type Hash } from 'node:crypto'
import type { Instant, Json } from '@gatehouse/core'
import type { Collection, StorageSnapshot, Version } from '@gatehouse/core/store'

/** The version of the format. A file with a newer one is refused. */
const format = 1

/**
 * One record of a backup. A backup is text with one JSON value per line: a head, `{"gatehouse_backup":1,…}`; the records; and an
 * end, `{"end":true,"records":…,"sha256":…}`, with the digest of all bytes before that line.
 */
export interface BackupRecord {
  readonly collection: string
  readonly id: string
  readonly version: Version
  readonly expires_at?: Instant
  /** `undefined` if the stored text was not JSON. */
  readonly value?: Json
  /** The stored text, if it was not JSON. */
  readonly text?: string
}

/** Counts by {@link backupLines} and {@link readBackup}, complete at the end. */
export interface BackupCounts {
  records: number
  /** Records whose stored text is not JSON. */
  unreadable: number
}

/** Options of {@link backupLines}. */
export interface BackupOptions {
  /** The collections to save. Others in the snapshot are left out. */
  readonly collections: readonly Collection[]
  readonly createdAt: Instant
  readonly counts: BackupCounts
}

/** The lines of a backup, each with its line end. */
export async function* backupLines(
  snapshot: StorageSnapshot,
  { collections, createdAt, counts }: BackupOptions,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const known = new Set(collections.map(({ name }) => name))
  const names = snapshot.collections.filter((name) => known.has(name))
  const head = { gatehouse_backup: format, created_at: new Date(createdAt).toISOString() }
  yield hashed(hash, { ...head, collections: names })
  for (const collection of names) {
    for await (const { id, version, expiresAt, value, text } of snapshot.records(collection)) {
      counts.records++
      if (value === undefined) counts.unreadable++
      const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt }
      yield hashed(hash, { collection, id, version, ...expiry, value, text })
    }
  }
  yield `${JSON.stringify({ end: true, records: counts.records, sha256: hash.digest('hex') })}\n`
}

function hashed(hash: Hash, value: object): string {
  const line = `${JSON.stringify(value)}\n`
  hash.update(line)
  return line
}

/**
 * Reads the records of a backup from its lines, without their line ends.
 *
 * @throws {Error} if the backup is truncated, damaged, or in a newer format. It may throw after the last record: read a backup
 * once to its end before you use it.
 */
export async function* readBackup(
  lines: AsyncIterable<string>,
  counts: BackupCounts,
): AsyncGenerator<BackupRecord> {
  const hash = createHash('sha256')
  let number = 0
  let isEnded = false
  for await (const line of lines) {
    number++
    if (isEnded) throw new Error(`line ${number}: text after the end of the backup`)
    const value = parse(line, number)
    if (number === 1) checkHead(value)
    else if (value.end === true) {
      checkEnd(value, counts, hash)
      isEnded = true
    } else {
      counts.records++
      if (value.value === undefined) counts.unreadable++
      yield toRecord(value, number)
    }
    if (!isEnded) hash.update(`${line}\n`)
  }
  if (!isEnded) throw new Error('the backup has no end: it was truncated')
}

type Line = Readonly<Record<string, unknown>>

function parse(line: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Line
  } catch {
    // The caller reports it.
  }
  throw new Error(`line ${number}: this is not a line of a backup`)
}

function checkHead({ gatehouse_backup: found }: Line): void {
  if (typeof found !== 'number') throw new Error('this is not a backup of Gatehouse')
  if (found <= format) return
  throw new Error(
    `the backup has format ${found}, and this program reads format ${format}: use a newer version`,
  )
}

function checkEnd({ records, sha256 }: Line, counts: BackupCounts, hash: Hash): void {
  if (records !== counts.records || sha256 !== hash.digest('hex')) {
    throw new Error('the backup is damaged: its checksum does not match')
  }
}

function toRecord(line: Line, number: number): BackupRecord {
  const { collection, id, version, expires_at: expiresAt } = line
  const isWhole =
    typeof collection === 'string' && typeof id === 'string' && typeof version === 'string'
  if (!isWhole || (expiresAt !== undefined && typeof expiresAt !== 'number')) {
    throw new Error(`line ${number}: this is not a record`)
  }
  // JSON.parse made the value, so it is Json.
  return { ...line, collection, id, version } as BackupRecord
}
