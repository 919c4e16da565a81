import { GatehouseError } from '../../errors.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { memberText, ownMember } from '../body/json-text.ts'
import type { Source } from '../webhook.ts'
import type { Delivery } from './delivery.ts'
import { standardHeaders } from './standard-headers.ts'

type Fact = Extract<Source, { kind: 'request' }>['fact']

const facts: readonly Fact[] = ['method', 'client_ip', 'client_port', 'id', 'time']
const prefixed = /^(body|header|query|request|file):(.*)$/s
const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

/** Headers that contain credentials. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-webhook-token',
  'x-gitlab-token',
])

const badPath = (text: string, problem: string): GatehouseError =>
  new GatehouseError('Invalid', 'bad_path', `the source ${JSON.stringify(text)} ${problem}`)

const secretSource = (text: string): GatehouseError =>
  new GatehouseError(
    'Invalid',
    'secret_source',
    `the source ${JSON.stringify(text)} is a secret, which the process list would show`,
  )

/** Indexes and members as JSONPath, jq and JavaScript write them. */
const bracketed = /\[\s*(?:-?\d+|\*|"[^"]*"|'[^']*')\s*\]/

/** Whether a path is in the language of another tool, in which it would never find anything here. */
function isForeign(path: string, isVerbatim: boolean): boolean {
  if (path.startsWith('$') || bracketed.test(path)) return true
  return !isVerbatim && /[[\]]|\.\$/.test(path)
}

/** The same path with dots, from `data`. */
export function dottedPath(path: string): string {
  const names = path.replace(/[[\]"'.\s]+/g, '.').replace(/(^|\.)[.$]+|\.+$/g, '$1')
  const below = names.replace(/^(?:data|body|payload|json)(?:\.|$)/, '')
  return below === '' ? 'data' : `data.${below}`
}

/** @param isVerbatim whether the path follows `body:`, so that brackets and dollar signs are parts of names. */
function parsePath(text: string, path: string, isVerbatim: boolean): Source {
  if (isForeign(path, isVerbatim)) {
    const plain = dottedPath(path)
    const ofName = isVerbatim ? '' : ', or put body: before it if a name has these characters'
    throw badPath(text, `is not a dotted path: write ${plain}${ofName}`)
  }
  const segments = path.split('.')
  if (segments.includes('')) throw badPath(text, 'has an empty segment')
  if (path === 'token') throw secretSource(text)
  return { kind: 'body', segments }
}

function parseHeader(text: string, name: string): Source {
  if (name === '') return { kind: 'headers' }
  if (!headerName.test(name)) throw badPath(text, 'needs the name of a header')
  const lowerCase = name.toLowerCase()
  if (secretHeaders.has(lowerCase)) throw secretSource(text)
  return { kind: 'header', name: lowerCase }
}

/**
 * Parses a source: a dotted path into the body, or `header:NAME`, `query:NAME`, `file:FIELD`, `request:method|client_ip|client_port|id|time`.
 * `body:`, `header:` and `query:` without a name are the whole body as text, all headers and all parameters. Put `body:` before a
 * path that starts like one of these, or whose names have brackets or begin with a dollar sign.
 *
 * @throws {GatehouseError} `bad_path`; `secret_source` if it names the token, or a header that contains one.
 */
export function parseSource(text: string): Source {
  const [, prefix, rest = ''] = prefixed.exec(text) ?? []
  if (prefix === undefined) return parsePath(text, text, false)
  if (prefix === 'body') return rest === '' ? { kind: 'raw' } : parsePath(text, rest, true)
  if (prefix === 'header') return parseHeader(text, rest)
  if (prefix === 'query')
    return rest === '' ? { kind: 'parameters' } : { kind: 'query', name: rest }
  if (prefix === 'file') {
    if (rest === '') throw badPath(text, 'needs the name of a field with a file')
    return { kind: 'file', name: rest }
  }
  const fact = facts.find((known) => known === rest)
  if (fact === undefined) throw badPath(text, `must be request:${facts.join(' or request:')}`)
  return { kind: 'request', fact }
}

/** A value in a body, and its path in single steps. */
interface Found {
  readonly path: readonly string[]
  readonly value: Json
}

/**
 * Follows segments into a value. Names may contain dots: the longest join of segments that is a member wins. Visits each member
 * of the body at most once, and recurses no deeper than the body.
 */
function find(value: Json, segments: readonly string[]): Found | undefined {
  if (segments.length === 0) return { path: [], value }
  const longest = Array.isArray(value) ? 1 : segments.length
  for (let count = longest; count > 0; count--) {
    const name = segments.slice(0, count).join('.')
    const member = ownMember(value, name)
    if (member === undefined) continue
    const found = find(member, segments.slice(count))
    if (found !== undefined) return { path: [name, ...found.path], value: found.value }
  }
  return undefined
}

function readBody(segments: readonly string[], { body }: Delivery): string | undefined {
  const found = find(body.value, segments)
  if (found === undefined || found.value === null) return undefined
  if (typeof found.value === 'string') return found.value
  if (typeof found.value === 'boolean') return String(found.value)
  return memberText(body, found.path)?.text
}

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder().decode(bytes)

const readRaw = ({ rawBody, body }: Delivery): string => textOf(rawBody) ?? body.text

/** The exact bytes of a source that has bytes rather than text; `undefined` for others, and if there are none. */
export function readSourceBytes(from: Source, delivery: Delivery): Uint8Array | undefined {
  if (from.kind === 'raw') return delivery.rawBody
  return from.kind === 'file' ? delivery.files.get(from.name) : undefined
}

/** Names with their first values, as JSON. Sorted, because a sender or a proxy may send them in any order. */
function membersOf(entries: Iterable<readonly [string, string]>): string {
  const values = new Map<string, string>()
  for (const [name, value] of entries) if (!values.has(name)) values.set(name, value)
  const sorted = [...values].toSorted(([one], [other]) => (one < other ? -1 : 1))
  // Unlike an assignment, this makes a member of any name.
  return JSON.stringify(Object.fromEntries(sorted))
}

/** The spelling of a header in which most documents have it: `X-GitHub-Event` is `X-Github-Event`, as clients may send any. */
const spelledHeader = (name: string): string =>
  name.replace(
    /(^|-)([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )

/** The headers that say something about the delivery: no credentials, and not the host, which the server was called by. */
function* shownHeaders(delivery: Delivery): Generator<readonly [string, string]> {
  for (const [name, value] of delivery.headers()) {
    if (name !== 'host' && !secretHeaders.has(name)) yield [spelledHeader(name), value]
  }
}

function readFact(fact: Fact, delivery: Delivery, now: Instant): string | undefined {
  if (fact === 'method') return delivery.method
  if (fact === 'client_ip') return delivery.clientAddress
  if (fact === 'client_port') return delivery.clientPort?.toString()
  if (fact === 'id') return delivery.requestId
  return new Date(now).toISOString()
}

/**
 * Reads the value of a source as text; `undefined` if it is missing. Numbers keep their original characters, objects and lists
 * become compact JSON; `null` and inherited members count as missing.
 */
export function readSource(from: Source, delivery: Delivery, now: Instant): string | undefined {
  if (from.kind === 'body') return readBody(from.segments, delivery)
  if (from.kind === 'header') return delivery.header(from.name)
  if (from.kind === 'query') return delivery.query(from.name)
  if (from.kind === 'headers') return membersOf(shownHeaders(delivery))
  if (from.kind === 'parameters') return membersOf(new URLSearchParams(delivery.search))
  if (from.kind === 'raw') return readRaw(delivery)
  if (from.kind === 'file') return textOf(delivery.files.get(from.name))
  if (from.kind === 'standard_id') return standardHeaders((name) => delivery.header(name))?.id
  return readFact(from.fact, delivery, now)
}
