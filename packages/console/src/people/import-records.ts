import type { ImportedUser } from '@gatehouse/client'

/** Users read from a text, or why it cannot be read. */
export type ReadRecords =
  | { readonly records: readonly ImportedUser[] }
  | { readonly problem: RecordsProblem }

export type RecordsProblem =
  | { readonly kind: 'empty' | 'json' | 'no-list' }
  /** A column that no user has, one that stands there twice, or a key beside `users`. */
  | { readonly kind: 'column' | 'twice' | 'key'; readonly name: string }
  /** A line of CSV with more or fewer fields than the first one, a flag that is neither yes nor no, or a type without its hash. */
  | { readonly kind: 'line'; readonly line: number }

/**
 * Reads users as `importUsers()` takes them, from JSON (a list, or an object with the list `users`) or CSV (a line of names, then
 * a line for each user). The server checks the values.
 */
export function readRecords(text: string): ReadRecords {
  const trimmed = text.replace(/^\ufeff/, '').trim()
  if (trimmed === '') return { problem: { kind: 'empty' } }
  return /^[[{]/.test(trimmed) ? readJson(trimmed) : readCsv(trimmed)
}

function readJson(text: string): ReadRecords {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: { kind: 'json' } }
  }
  const list = Array.isArray(value) ? value : (Object(value) as { users?: unknown }).users
  if (!Array.isArray(list)) return { problem: { kind: 'no-list' } }
  const other = Array.isArray(value) ? undefined : Object.keys(Object(value)).find(isOther)
  return other === undefined ? { records: list } : { problem: { kind: 'key', name: other } }
}

/** Whether the import would ignore a key of an object with users. */
const isOther = (key: string): boolean => key !== 'users'

const texts: ReadonlySet<string> = new Set([
  'id',
  'email',
  'phone_number',
  'preferred_username',
  'created_at',
  'last_login_at',
  'disable_reason',
  'account_valid_from',
  'account_valid_until',
])
const flags: ReadonlySet<string> = new Set(['email_verified', 'phone_number_verified', 'disabled'])
const names: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'nickname',
  'locale',
])
const hashes: ReadonlySet<string> = new Set(['password_type', 'password_hash'])

function readCsv(text: string): ReadRecords {
  const [head = [], ...lines] = linesOf(text)
  const columns = head.map((name) => name.trim().toLowerCase())
  const unknown = columns.find(
    (name) => ![texts, flags, names, hashes].some((known) => known.has(name)),
  )
  if (unknown !== undefined) return { problem: { kind: 'column', name: unknown } }
  const twice = columns.find((name, index) => columns.indexOf(name) !== index)
  if (twice !== undefined) return { problem: { kind: 'twice', name: twice } }
  const records: ImportedUser[] = []
  for (const [index, fields] of lines.entries()) {
    const record = fields.length === columns.length ? recordOf(columns, fields) : undefined
    if (record === undefined) return { problem: { kind: 'line', line: index + 2 } }
    records.push(record)
  }
  return records.length === 0 ? { problem: { kind: 'empty' } } : { records }
}

const yes = /^(?:true|yes|1)$/i
const no = /^(?:false|no|0)$/i

/** A line of CSV as a record, without its empty fields; `undefined` if a flag is neither yes nor no, or a type has no hash. */
function recordOf(columns: readonly string[], fields: readonly string[]): ImportedUser | undefined {
  const given = columns
    .map((name, index) => [name, fields[index]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '')
  if (given.some(([name, value]) => flags.has(name) && !yes.test(value) && !no.test(value))) return
  const of = (known: ReadonlySet<string>): (readonly [string, string])[] =>
    given.filter(([name]) => known.has(name))
  const attributes = Object.fromEntries(of(names))
  const { password_type: type, password_hash } = Object.fromEntries(of(hashes))
  if (type !== undefined && password_hash === undefined) return
  return {
    ...Object.fromEntries(of(texts)),
    ...Object.fromEntries(of(flags).map(([name, value]) => [name, yes.test(value)])),
    ...(Object.keys(attributes).length === 0 ? {} : { standard_attributes: attributes }),
    ...(password_hash === undefined
      ? {}
      : // The server refuses a type that it does not know.
        { password: { type: (type ?? 'bcrypt') as 'bcrypt', password_hash } }),
  }
}

/** The fields of each line that is not empty. @see RFC 4180; the separator may be a semicolon or a tab, too */
function linesOf(text: string): readonly (readonly string[])[] {
  const first = text.split(/\r?\n/, 1)[0] ?? ''
  const separator = [',', ';', '\t'].find((one) => first.includes(one)) ?? ','
  const lines: string[][] = []
  let line: string[] = []
  let field = ''
  let isQuoted = false
  const endLine = (): void => {
    line.push(field)
    if (line.length > 1 || field !== '') lines.push(line)
    line = []
    field = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') field += text[at++]
      else isQuoted = false
    } else if (character === '"' && field === '') isQuoted = true
    else if (character === separator) {
      line.push(field)
      field = ''
    } else if (character === '\n') endLine()
    else if (character !== '\r') field += character
  }
  endLine()
  return lines
}
