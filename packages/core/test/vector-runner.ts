import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { exchange, type ReceivedResponse, type SentRequest } from './exchange.ts'
import { expectDescribed } from './openapi.fixture.ts'

interface VectorRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly bodyRaw?: string
}

interface VectorStep extends VectorRequest {
  readonly capture?: Readonly<Record<string, string>>
  readonly expectStatus?: number
  /** How much time passes after it. */
  readonly sleepMs?: number
}

interface VectorResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly bodyText?: string
  readonly trailingNewline?: boolean
  readonly partial?: boolean
}

/** A recorded request and its response. */
export interface Vector {
  readonly name: string
  readonly setup?: readonly VectorStep[]
  readonly request: VectorRequest
  readonly response: VectorResponse
  readonly check?: readonly {
    readonly minus: readonly [string, string]
    readonly equalsMs: number
  }[]
  readonly follow?: VectorResponse & { readonly sameAs?: string }
}

const folder = new URL('../vectors/alerts/', import.meta.url)

/** The text of a vector file. */
export const readVectorFile = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

/** The vectors of a file. */
export const readVectors = (name: string): Vector[] => JSON.parse(readVectorFile(name))

/** The environment of a vector. */
export interface VectorTarget {
  readonly port: number
  /** When the case began: a whole second. */
  readonly now: number
  /** Advances the clock. */
  advance(ms: number): void
}

type Tokens = Map<string, string>

const nowToken = /\{now(?:([+-]\d+)s)?\}/g

function fill(text: string, now: number, tokens: Tokens): string {
  const timed = text.replace(nowToken, (_, seconds = '0') =>
    new Date(now + Number(seconds) * 1_000).toISOString(),
  )
  return timed.replace(/\{(\w+)\}/g, (whole, name: string) => tokens.get(name) ?? whole)
}

function toSent(step: VectorRequest, now: number, tokens: Tokens): SentRequest {
  const { method, path, headers, body, bodyRaw } = step
  const text = bodyRaw ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    method,
    path: fill(path, now, tokens),
    ...(headers === undefined ? {} : { headers }),
    ...(text === undefined ? {} : { body: fill(text, now, tokens) }),
  }
}

function pick(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => Object(inner)[key], value)
}

const patterns: Readonly<Record<string, RegExp>> = {
  '<uuid>': /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  '<time>': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/,
  '<any>': /^/,
}

/** Keys that are newer than the recording. */
const additive = new Set(['mutedBy', 'routeLabels', 'annotations', 'labels'])

/** Resolves an expected value: placeholders and tokens are checked and then replaced by the actual value. */
function resolve(expected: unknown, actual: unknown, context: CompareContext): unknown {
  if (expected === '<any>') return actual
  if (typeof expected === 'string') return resolveText(expected, actual, context)
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return expected.map((item, index) => resolve(item, actual[index], context))
  }
  if (!isObject(expected) || !isObject(actual)) return expected
  const entries = Object.entries(expected).map(([key, value]) => [
    key,
    resolve(value, actual[key], context),
  ])
  const more = Object.keys(actual)
    .filter((key) => !Object.hasOwn(expected, key) && (context.partial || additive.has(key)))
    .map((key) => [key, actual[key]])
  return Object.fromEntries([...entries, ...more])
}

interface CompareContext {
  readonly now: number
  readonly tokens: Tokens
  readonly partial: boolean
}

function resolveText(expected: string, actual: unknown, { now, tokens }: CompareContext): unknown {
  const pattern = patterns[expected]
  if (pattern !== undefined) {
    return typeof actual === 'string' && pattern.test(actual) ? actual : expected
  }
  const filled = fill(expected, now, tokens)
  const isTime = /^\{now[^}]*\}$/.test(expected) && typeof actual === 'string'
  const isNear = isTime && Math.abs(Date.parse(filled) - Date.parse(actual)) <= 2_000
  return isNear ? actual : filled.replace(/not allowed, but \[(.*)\]/, sortedList)
}

const sortedList = (_: string, list: string): string =>
  `not allowed, but [${list.split(',').sort().join(',')}]`

const sortLists = (text: string): string => text.replace(/not allowed, but \[(.*)\]/, sortedList)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function compareHeaders(
  expected: Readonly<Record<string, string>>,
  actual: ReceivedResponse,
): void {
  for (const [name, value] of Object.entries(expected)) {
    const got = actual.header(name)
    if (name === 'allow') expect(listOf(got)).toEqual(listOf(value))
    else if (name.startsWith('access-control')) {
      expect(got?.toLowerCase(), name).toBe(value.toLowerCase())
    } else expect(got, name).toBe(value)
  }
}

const listOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((one) => one.trim())
    .sort()

function expectedOf(vector: Vector, all: readonly Vector[]): VectorResponse {
  const { follow } = vector
  if (follow === undefined) return vector.response
  const same = all.find(({ name }) => name === follow.sameAs)
  if (same !== undefined) return expectedOf(same, all)
  const { body, bodyText, ...rest } = vector.response
  const replaced = follow.body !== undefined || follow.bodyText !== undefined
  const kept = {
    ...(body === undefined ? {} : { body }),
    ...(bodyText === undefined ? {} : { bodyText }),
  }
  // The error comes from the handler instead of the framework, or the other way round, so the recorded newline does not apply.
  const { trailingNewline: _, ...withoutNewline } = rest
  return { ...(replaced ? withoutNewline : { ...rest, ...kept }), ...follow }
}

/** Vectors with a request that is only accepted because Go's decoder is lenient. The document does not recommend such requests. */
const lenient: ReadonlySet<string> = new Set([
  'isEqual null uses the default',
  'startsAt date only',
  'null body is accepted',
  'label value null becomes empty and is dropped',
  'annotations null',
  'JSON field names are matched case-insensitively',
  'minutes-only time',
  'empty startsAt string is the Unix epoch',
  'a local time without offset is UTC',
])

async function send(port: number, { name }: Vector, sent: SentRequest): Promise<ReceivedResponse> {
  const received = await exchange(port, sent)
  const body = sent.body === undefined || lenient.has(name) ? undefined : String(sent.body)
  expectDescribed('alerts', { ...sent, body, received })
  return received
}

/** Runs a vector and compares the response with the recorded one. */
export async function runVector(
  vector: Vector,
  all: readonly Vector[],
  target: VectorTarget,
): Promise<void> {
  const { port, now } = target
  const tokens: Tokens = new Map()
  for (const step of vector.setup ?? []) {
    const answered = await send(port, vector, toSent(step, now, tokens))
    expect(answered.status, answered.text).toBe(step.expectStatus ?? 200)
    for (const [name, path] of Object.entries(step.capture ?? {})) {
      tokens.set(name, String(pick(JSON.parse(answered.text), path)))
    }
    target.advance(step.sleepMs ?? 5)
  }
  const actual = await send(port, vector, toSent(vector.request, now, tokens))
  const expected = expectedOf(vector, all)
  expect(actual.status, actual.text).toBe(expected.status)
  compareHeaders(expectedHeaders(vector, expected), actual)
  if (expected.trailingNewline !== undefined) {
    expect(actual.text.endsWith('\n')).toBe(expected.trailingNewline)
  }
  if (expected.bodyText !== undefined && expected.bodyText !== '<any>') {
    expect(actual.text).toBe(expected.bodyText)
  }
  if (expected.body === undefined) return
  const value: unknown = JSON.parse(sortLists(actual.text))
  const context = { now, tokens, partial: expected.partial === true }
  expect(value).toEqual(resolve(expected.body, value, context))
  for (const { minus, equalsMs } of vector.check ?? []) {
    const [left, right] = minus.map((path) => Date.parse(String(pick(value, path))))
    expect(Math.abs((left ?? 0) - (right ?? 0) - equalsMs)).toBeLessThanOrEqual(5)
  }
}

/** The recorded type does not apply to a followed body without its own type, or to a success instead of a failure. */
function expectedHeaders(
  vector: Vector,
  expected: VectorResponse,
): Readonly<Record<string, string>> {
  const { 'content-type': type, ...others } = expected.headers ?? {}
  const isAnother = expected.bodyText === '' || vector.response.status !== expected.status
  return type === undefined || isAnother ? others : { 'content-type': type, ...others }
}
