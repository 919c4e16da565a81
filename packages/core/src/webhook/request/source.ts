import { GatehouseError } from '../../errors.ts'
import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { memberText, ownMember } from '../body/json-text.ts'
import type { Source } from '../webhook.ts'
import type { Delivery } from './delivery.ts'

type Fact = Extract<Source, { kind: 'request' }>['fact']

const facts: readonly Fact[] = ['method', 'client_ip', 'id', 'time']
const prefixed = /^(body|header|query|request):(.*)$/s
const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

/** Headers that prove who somebody is. */
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
    `the source ${JSON.stringify(text)} is a secret, which a command would show in the list of processes`,
  )

function parsePath(text: string, path: string): Source {
  const segments = path.split('.')
  if (segments.includes('')) throw badPath(text, 'has an empty segment')
  if (path === 'token') throw secretSource(text)
  return { kind: 'body', segments }
}

function parseHeader(text: string, name: string): Source {
  if (!headerName.test(name)) throw badPath(text, 'names no header')
  const lowerCase = name.toLowerCase()
  if (secretHeaders.has(lowerCase)) throw secretSource(text)
  return { kind: 'header', name: lowerCase }
}

/**
 * Reads where a value is found: a dotted path into the body, or `header:NAME`, `query:NAME`,
 * `request:method|client_ip|id|time`, `body:` for the whole body as text. A path that starts like one of these is written
 * behind `body:`.
 *
 * @throws {GatehouseError} `bad_path`; `secret_source` if it names the token, or a header that holds one.
 */
export function parseSource(text: string): Source {
  const [, prefix, rest = ''] = prefixed.exec(text) ?? []
  if (prefix === undefined) return parsePath(text, text)
  if (prefix === 'body') return rest === '' ? { kind: 'raw' } : parsePath(text, rest)
  if (prefix === 'header') return parseHeader(text, rest)
  if (prefix === 'query') {
    if (rest === '') throw badPath(text, 'names no query parameter')
    return { kind: 'query', name: rest }
  }
  const fact = facts.find((known) => known === rest)
  if (fact === undefined) throw badPath(text, `is none of request:${facts.join(', request:')}`)
  return { kind: 'request', fact }
}

/** A value in a body, and the path to it in single steps. */
interface Found {
  readonly path: readonly string[]
  readonly value: Json
}

/**
 * Follows segments into a value. A member may have dots in its name: the longest join of segments that is one goes first. Whatever
 * a body holds, each of its members is looked at once at most, and no deeper than the body is.
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

function readRaw({ rawBody, body }: Delivery): string {
  return rawBody === undefined ? body.text : new TextDecoder().decode(rawBody)
}

function readFact(fact: Fact, delivery: Delivery, now: Instant): string | undefined {
  if (fact === 'method') return delivery.method
  if (fact === 'client_ip') return delivery.clientAddress
  if (fact === 'id') return delivery.requestId
  return new Date(now).toISOString()
}

/**
 * The value of a delivery as text; `undefined` if it is missing. Numbers keep the characters they were sent with, objects and lists
 * become compact JSON, `null` is missing, and so is whatever a value merely inherits.
 */
export function readSource(from: Source, delivery: Delivery, now: Instant): string | undefined {
  if (from.kind === 'body') return readBody(from.segments, delivery)
  if (from.kind === 'header') return delivery.header(from.name)
  if (from.kind === 'query') return delivery.query(from.name)
  if (from.kind === 'raw') return readRaw(delivery)
  return readFact(from.fact, delivery, now)
}
