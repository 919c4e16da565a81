import type { RawAnswer } from '../http.ts'

/** A response without the parts that differ between two runs of the same program. */
export interface ComparableAnswer {
  /** 0: the connection was closed without a response. */
  readonly status: number
  /** The headers that are part of the interface. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed if it is JSON, else the text. */
  readonly body: unknown
  /** Whether the text ended with a newline. */
  readonly newline: boolean
}

const comparedHeaders = [
  'content-type',
  'allow',
  'location',
  'vary',
  'cache-control',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
]

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const resolveTimeoutMs = 300_000

/** Facts about one server's earlier responses that the comparison needs. */
export interface ServerMemory {
  /** When the run began. */
  readonly startedAt: number
  /** Names for the silence ids that the server generated. */
  readonly ids: ReadonlyMap<string, string>
}

/**
 * Replaces generated values: silence ids by the name of the exchange that made them, times of the server's clock by `<now>` (the
 * run sends no time within 5 minutes of now, except in the past), unordered lists by sorted ones, build facts by `<any>`.
 */
export function comparable(answer: RawAnswer, memory: ServerMemory): ComparableAnswer {
  const type = answer.headers['content-type'] ?? ''
  const headers: Record<string, string> = {}
  for (const name of comparedHeaders) {
    const value = answer.headers[name]
    const comparable = value === undefined ? '' : comparableHeader(name, String(value))
    if (comparable !== '' || value === '') headers[name] = comparable
  }
  return {
    status: answer.status,
    headers,
    body: type.startsWith('application/json') ? jsonOf(answer.body, memory) : answer.body,
    newline: answer.body.endsWith('\n'),
  }
}

/** `Allow` is a set, and its order is random in the reference, which compresses no answers. */
function comparableHeader(name: string, value: string): string {
  if (name === 'allow') return value.split(/, */).sort().join(', ')
  if (name === 'vary') return value.replace(/(?:^|, )Accept-Encoding$/, '')
  return name === 'access-control-allow-headers' ? value.toLowerCase() : value
}

function jsonOf(text: string, memory: ServerMemory): unknown {
  if (text === '') return ''
  return comparableValue(JSON.parse(text), '', memory)
}

function comparableValue(value: unknown, key: string, memory: ServerMemory): unknown {
  if (typeof value === 'string') return comparableText(value, key, memory)
  if (Array.isArray(value)) {
    const items = value.map((item) => comparableValue(item, key, memory))
    return key === 'silencedBy' ? items.sort() : items
  }
  if (value === null || typeof value !== 'object') return value
  if (key === 'versionInfo') return Object.keys(value).sort()
  return new Map(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, comparableValue(item, name, memory)]),
  )
}

function comparableText(value: string, key: string, memory: ServerMemory): string {
  if (key === 'uptime') return '<time>'
  if (key === 'message') {
    return value.replace(/\[[A-Z,]+\] are$/, (list) => `[${list.match(/[A-Z]+/g)?.sort()}] are`)
  }
  if (time.test(value)) {
    const since = Date.parse(value) - memory.startedAt
    const elapsed = Date.now() - memory.startedAt
    if (since > -1_000 && since <= elapsed) return '<now>'
    const late = since - resolveTimeoutMs
    if (late > -1_000 && late <= elapsed) return '<now + resolve timeout>'
  }
  return value.replace(uuid, (id) => memory.ids.get(id) ?? id)
}
