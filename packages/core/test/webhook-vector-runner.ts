import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { exchange, type ReceivedResponse } from './exchange.ts'
import { expectDescribed } from './openapi.fixture.ts'

interface VectorRequest {
  readonly method: string
  readonly path: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly json?: unknown
  /** The bytes of a body that is not text. */
  readonly body_base64?: string
}

/** The expected arguments, environment and input of a command. */
interface ExpectedRecord {
  readonly argv?: readonly string[]
  readonly cwd?: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly env_has?: readonly string[]
  readonly env_absent?: readonly string[]
}

interface ExpectedAnswer {
  readonly status: number
  /** The whole body, which is not JSON. */
  readonly text?: string
  readonly json?: Readonly<Record<string, unknown>>
  readonly json_contains?: unknown
  readonly json_types?: Readonly<Record<string, string>>
  readonly json_absent?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly headers_present?: readonly string[]
  readonly min_ms?: number
  readonly max_ms?: number
  readonly record?: ExpectedRecord
}

interface RequestStep {
  readonly request: VectorRequest
  readonly expect: ExpectedAnswer
  readonly capture?: Readonly<Record<string, string>>
}

type Step =
  | RequestStep
  /** Sends a request, whose answer a later step awaits. */
  | { readonly start: string; readonly request: VectorRequest }
  | { readonly finish: string; readonly expect: ExpectedAnswer }
  /** Repeats a request until its answer is as expected. */
  | { readonly until: VectorRequest; readonly expect: ExpectedAnswer }
  /** Makes a file that commands wait for. */
  | { readonly open: string }

/** The delay that a busy machine may add. */
const busyMachineMs = 500

/** Requests to one service, and their responses. */
export interface WebhookVector {
  readonly name: string
  readonly group: string
  /** A name in `configs`. */
  readonly config: string
  readonly steps: readonly Step[]
}

interface VectorFile {
  readonly configs: Readonly<Record<string, object>>
  readonly cases: readonly WebhookVector[]
}

const file: VectorFile = JSON.parse(
  readFileSync(new URL('../vectors/webhook.json', import.meta.url), 'utf8'),
)

/** The vectors of a group that need a running service. */
export const webhookVectors = (group: 'http' | 'lifecycle'): readonly WebhookVector[] =>
  file.cases.filter((vector) => vector.group === group)

/** An environment variable of the server that no command may see. */
export const serverOnlyVariable = 'GATEHOUSE_TEST_SERVER_ONLY'

const recorder = fileURLToPath(new URL('fixtures/record.mjs', import.meta.url))

/** Replaces the machine-dependent parts in the text of a vector. */
function fill(text: string, workdir: string): string {
  return text
    .replaceAll('{{record}}', `'${process.execPath}' '${recorder}'`)
    .replaceAll('{{workdir}}', workdir)
    .replaceAll('{{server_only_variable}}', serverOnlyVariable)
}

/** Replaces them in all texts of a value. */
function fillAll<T>(value: T, workdir: string): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' ? fill(inner, workdir) : inner,
  )
}

/** The configuration of a vector, whose commands may write to `workdir`. */
export function webhookVectorConfig({ config }: WebhookVector, workdir: string): object {
  const found = file.configs[config]
  if (found === undefined) throw new TypeError(`there is no configuration "${config}"`)
  return fillAll(found, workdir)
}

type Variables = Map<string, unknown>

/** Resolves `$var`, `$join` and `$repeat` in a value. */
function resolve(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, variables))
  if (typeof value !== 'object' || value === null) return value
  if ('$var' in value) return variables.get(String(value.$var))
  if ('$join' in value && Array.isArray(value.$join)) {
    return value.$join.map((item: unknown) => resolve(item, variables)).join('')
  }
  if ('$repeat' in value && Array.isArray(value.$repeat)) {
    const [text, times] = value.$repeat
    return String(text).repeat(Number(times))
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner, variables)])
  return Object.fromEntries(entries)
}

async function send(
  port: number,
  request: VectorRequest,
  variables: Variables,
): Promise<ReceivedResponse & { readonly ms: number }> {
  const { method, headers, body_base64: bytes } = request
  const json = resolve(request.json, variables)
  const body = json === undefined ? resolve(request.body, variables) : JSON.stringify(json)
  const startedAt = performance.now()
  const path = String(resolve(request.path, variables))
  const sent = body === undefined ? undefined : String(body)
  const received = await exchange(port, {
    method,
    path,
    headers: { 'content-type': '', ...headers },
    ...(sent === undefined ? {} : { body: sent }),
    ...(bytes === undefined ? {} : { body: Buffer.from(bytes, 'base64') }),
  })
  expectDescribed('webhook', { method, path, body: sent, received })
  return { ...received, ms: performance.now() - startedAt }
}

/** Whether a value contains all expected parts. List elements may have any position. */
function contains(actual: unknown, listed: unknown): boolean {
  if (Array.isArray(listed)) {
    return (
      Array.isArray(actual) &&
      listed.every((item) => actual.some((other: unknown) => contains(other, item)))
    )
  }
  if (typeof listed !== 'object' || listed === null) return Object.is(actual, listed)
  return Object.entries(listed).every(([key, inner]) => contains(Object(actual)[key], inner))
}

function checkRecord(stdout: unknown, expected: ExpectedRecord): void {
  const record = JSON.parse(String(stdout))
  const { argv, cwd, stdin, env, env_has: has = [], env_absent: absent = [] } = expected
  if (argv !== undefined) expect(record.argv).toEqual(argv)
  if (cwd !== undefined) expect(record.cwd).toBe(cwd)
  if (stdin !== undefined) expect(record.stdin).toBe(stdin)
  if (env !== undefined) expect(record.env).toMatchObject(env)
  for (const name of has) expect(record.env).toHaveProperty(name)
  for (const name of absent) expect(record.env).not.toHaveProperty(name)
}

function checkHeaders(received: ReceivedResponse, expected: ExpectedAnswer): void {
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    expect(received.header(name), name).toBe(value)
  }
  for (const name of expected.headers_present ?? []) {
    expect(received.header(name), name).toBeDefined()
  }
}

function checkAnswer(
  received: ReceivedResponse & { readonly ms: number },
  expected: ExpectedAnswer,
): void {
  expect(received.status, received.text.slice(0, 1_000)).toBe(expected.status)
  checkHeaders(received, expected)
  expect(received.ms).toBeGreaterThanOrEqual(expected.min_ms ?? 0)
  const atMost = expected.max_ms ?? Number.POSITIVE_INFINITY
  expect(received.ms).toBeLessThanOrEqual(atMost + busyMachineMs)
  if (expected.text !== undefined) {
    expect(received.text).toBe(expected.text)
    return
  }
  const body: Record<string, unknown> = JSON.parse(received.text)
  for (const [name, value] of Object.entries(expected.json ?? {})) {
    expect(body[name], name).toEqual(resolve(value, new Map()))
  }
  for (const [name, type] of Object.entries(expected.json_types ?? {})) {
    expect(typeof body[name], name).toBe(type)
  }
  for (const name of expected.json_absent ?? []) expect(body).not.toHaveProperty(name)
  const { json_contains: listed, record } = expected
  if (listed !== undefined) expect(contains(body, listed), received.text).toBe(true)
  if (record !== undefined) checkRecord(body.stdout, record)
}

/** How often a condition is checked. The test fails after its own time limit, or after this one. */
const polling = { interval: 10, timeout: 10_000 }

/** Runs the steps of a vector against the service on a port, and compares the responses. */
export async function runWebhookVector(
  vector: WebhookVector,
  { port, workdir }: { readonly port: number; readonly workdir: string },
): Promise<void> {
  const variables: Variables = new Map()
  const started = new Map<string, ReturnType<typeof send>>()
  for (const step of fillAll(vector.steps, workdir)) {
    if ('start' in step) {
      started.set(step.start, send(port, step.request, variables))
    } else if ('finish' in step) {
      const received = await started.get(step.finish)
      if (received === undefined) throw new TypeError(`no step starts ${step.finish}`)
      checkAnswer(received, step.expect)
    } else if ('until' in step) {
      const check = async (): Promise<void> =>
        checkAnswer(await send(port, step.until, variables), step.expect)
      await vi.waitFor(check, polling)
    } else if ('open' in step) {
      await writeFile(join(workdir, step.open), '')
    } else {
      const received = await send(port, step.request, variables)
      checkAnswer(received, step.expect)
      for (const [name, member] of Object.entries(step.capture ?? {})) {
        variables.set(name, JSON.parse(received.text)[member])
      }
    }
  }
}
