import { readFileSync } from 'node:fs'
import { openSqliteDatabase } from '@gatehouse/store-sqlite'
import { fileProblem } from '../config/config-file.ts'
import { betterAuthTables, type Tables } from './better-auth.ts'
import { isRow, type Row } from './rows.ts'

const sqliteHeader = 'SQLite format 3\0'

/**
 * The tables of better-auth: an SQLite file, or JSON such as `{ "user": [...], "account": [...] }`.
 *
 * @throws {Error} if the file cannot be read.
 */
export function readTables(filename: string): Tables {
  const bytes = bytesOf(filename)
  if (bytes.subarray(0, sqliteHeader.length).toString('latin1') !== sqliteHeader) {
    const tables: unknown = parseJson(bytes.toString(), filename)
    if (isRow(tables)) return tables
    throw new Error(
      `${filename}: expected an object of tables, such as { "user": [], "account": [] }`,
    )
  }
  const database = openSqliteDatabase(filename, 5_000, { isReadOnly: true })
  try {
    const hasTable = database.prepare(
      "SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = ?",
    )
    const found = betterAuthTables.filter((name) => hasTable.all(name).length > 0)
    return Object.fromEntries(
      found.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all() as Row[]]),
    )
  } finally {
    database.close()
  }
}

/**
 * The records in a file: a JSON list, an object with a list `records`, or a record on each line.
 *
 * @throws {Error} if the file cannot be read, or a line is not JSON.
 */
export function readRecords(filename: string): readonly Row[] {
  const text = bytesOf(filename).toString('utf8').trim()
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isLines = lines.length > 1 && isObject(lines[0]) && isObject(lines[1])
  if (isLines)
    return recordsIn(
      lines.map((line, index) => parseJson(line, `${filename}:${index + 1}`)),
      filename,
    )
  const value = text === '' ? [] : parseJson(text, filename)
  if (isRow(value))
    return recordsIn(Array.isArray(value.records) ? value.records : [value], filename)
  return recordsIn(value, filename)
}

function bytesOf(filename: string): Buffer {
  try {
    return readFileSync(filename)
  } catch (error) {
    throw new Error(`${filename}: ${fileProblem(error)}`, { cause: error })
  }
}

const isObject = (line = ''): boolean => line.startsWith('{') && line.trimEnd().endsWith('}')

function recordsIn(value: unknown, filename: string): readonly Row[] {
  if (Array.isArray(value) && value.every(isRow)) return value
  throw new Error(`${filename}: expected a list of records`)
}

/** The error quotes nothing, because the file holds secrets. */
function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${place}: not valid JSON`)
  }
}
