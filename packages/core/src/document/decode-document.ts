/**
 * How our own documents are decoded (alertmanager.yml has a decoder of its own). The pattern:
 *
 * 1. `parseDocument()` reads YAML or JSON, and `objectDocument()` values from code, into nodes with places.
 * 2. A schema is made of the kinds in `schema.ts`: `text`, `flag`, `integer()`, `oneOf()`, `listOf()`, `mapOf()`, `mapping()`, and
 *    `parsed()` or `parsedText()` for a format of its own. A key of a mapping is `required()`, `optional()` or `withDefault()`, each
 *    with the sentence that the documentation and editors show. `checked()` adds a rule over several keys, `built()` makes a value of
 *    another shape. Exported schemas are annotated, as `Schema<SignatureOptions>`.
 * 3. `decodeDocument()` runs the schema and returns the value with its warnings, or throws one error with every problem at its place.
 *
 * Messages complete "«path» …" ("must be text"), and never quote a value: it may be a secret.
 */
import type { z } from 'zod/mini'
import { nearestWord } from '../input/suggestion.ts'
import type { ConfigNode, MappingNode } from './config-document.ts'
import { type DocumentCode, type DocumentProblem, invalidDocument, quoteKey } from './problem.ts'
import { resolveCoreScalar } from './scalar.ts'
import {
  isWarning,
  paramsOf,
  runSchema,
  type Schema,
  type Sound,
  soundOf,
  unknownKeys,
  unknownWord,
  wrongType,
} from './schema.ts'

/** The value of a document. */
export interface Decoded<T> {
  readonly value: T
  /** Probable mistakes; each begins with a path. */
  readonly warnings: readonly string[]
}

/** Options of {@link decodeDocument}. */
export interface DecodeDocumentOptions {
  /** The name of the file, for messages. */
  readonly filename?: string | undefined
  /** Passed to the readers of `parsed()` and `parsedText()`, such as where references are resolved. */
  readonly context?: unknown
  /** Whether problems have a `pointer` beside their path, as in RFC 6901. */
  readonly hasPointers?: boolean
}

/**
 * Decodes the nodes of a document.
 *
 * @throws {GatehouseError} `InvalidConfig`; `info.problems` are all the problems in the order of the document, as {@link DocumentProblem}.
 */
export function decodeDocument<T>(
  node: ConfigNode,
  schema: Schema<T>,
  { filename, ...options }: DecodeDocumentOptions = {},
): Decoded<T> {
  const { value, problems, warnings } = inspectDocument(node, schema, options)
  if (problems.length > 0) throw invalidDocument(problems, filename)
  // Without problems, the schema has returned a T.
  return { value: value as T, warnings }
}

/** The result of checking a document. */
export interface Inspected<T> {
  /** `undefined` if there are problems. */
  readonly value: T | undefined
  /** The parts of the value that are valid. */
  readonly sound: Sound<T> | undefined
  /** In document order, with the warnings. */
  readonly problems: readonly DocumentProblem<string>[]
  readonly warnings: readonly string[]
}

/** Decodes the nodes of a document without throwing. */
export function inspectDocument<T>(
  node: ConfigNode,
  schema: Schema<T>,
  { context, hasPointers = false }: Omit<DecodeDocumentOptions, 'filename'> = {},
): Inspected<T> {
  // Compiling a schema, as zod does by default, does not pay for one document, and a policy may forbid it.
  const result = runSchema(schema, plainValue(node), {
    async: false,
    jitless: true,
    documentContext: context,
  })
  const found = result.issues
    .flatMap((issue) => findings(issue, node))
    .toSorted((one, other) => one.start - other.start)
  const problems = found
    .filter(({ isWarning: isOnlyWarning }) => !isOnlyWarning)
    .map(({ problem, at }) => (hasPointers ? { ...problem, pointer: pointerText(at) } : problem))
  return {
    // Without problems, the schema has returned a T.
    value: problems.length === 0 ? (result.value as T) : undefined,
    sound: soundOf<T>(result),
    problems,
    warnings: found
      .filter(({ isWarning: isOnlyWarning }) => isOnlyWarning)
      .map(({ problem: { path, message } }) => warningText(path, message)),
  }
}

const warningText = (path: string, message: string): string =>
  path === '' ? message : `${path}: ${message}`

/** Stands for a scalar that no schema accepts. */
const other = Symbol('a value with a tag of its own')

/** The plain values of nodes. Objects have no prototype, so every key comes from the document. */
function plainValue(node: ConfigNode): unknown {
  if (node.kind === 'sequence') return node.items.map(plainValue)
  if (node.kind === 'mapping') {
    const value = Object.create(null)
    for (const { key, value: member } of node.entries) value[keyText(key)] = plainValue(member)
    return value
  }
  const scalar = resolveCoreScalar(node)
  if (scalar.kind === 'null') return null
  return scalar.kind === 'other' ? other : scalar.value
}

/** The parser has refused documents with other keys. */
const keyText = (key: ConfigNode): string => (key.kind === 'scalar' ? key.text : '')

type Issue = z.core.$ZodRawIssue

interface Finding {
  readonly at: Path
  readonly problem: DocumentProblem<string>
  readonly start: number
  readonly isWarning: boolean
}

/** One problem for each issue, or for each key of an issue about unknown keys. */
function findings(issue: Issue, root: ConfigNode): readonly Finding[] {
  const path = (issue.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
  if (issue.code === 'unrecognized_keys') return unknownKeyFindings(issue, path, root)
  const isAtKey = issue.code === 'custom' && paramsOf(issue.params)?.isAtKey === true
  const place = locate(root, path)
  const { code, message } = describeIssue(
    issue,
    place.isThere ? valueOfScalar(place.node) : undefined,
  )
  return [findingAt(isAtKey ? place.key : place.node, path, { code, message }, isWarning(issue))]
}

/** The value of a scalar, to report its type. */
const valueOfScalar = (node: ConfigNode): unknown =>
  node.kind === 'scalar' ? plainValue(node) : other

interface Located {
  /** The node at the path; if it is missing, the nearest one above it. */
  readonly node: ConfigNode
  readonly key: ConfigNode
  readonly isThere: boolean
}

/** Keys and indexes on the way to a value. */
export type Path = readonly (string | number)[]

/** Entries of large mappings by key. */
const indexes = new WeakMap<MappingNode, ReadonlyMap<string, MappingNode['entries'][number]>>()

function entryOf(node: MappingNode, key: string): MappingNode['entries'][number] | undefined {
  const index =
    indexes.get(node) ?? new Map(node.entries.map((entry) => [keyText(entry.key), entry]))
  indexes.set(node, index)
  return index.get(key)
}

function locate(root: ConfigNode, path: Path): Located {
  let node = root
  let keyNode = root
  for (const step of path) {
    const item = node.kind === 'sequence' ? node.items[Number(step)] : undefined
    const entry = node.kind === 'mapping' ? entryOf(node, String(step)) : undefined
    const next = item ?? entry?.value
    if (next === undefined) return { node, key: node, isThere: false }
    keyNode = entry?.key ?? next
    node = next
  }
  return { node, key: keyNode, isThere: true }
}

/** The node at a path of a document; `undefined` if there is none. */
export function nodeAt(root: ConfigNode, ...path: Path): ConfigNode | undefined {
  const { node, isThere } = locate(root, path)
  return isThere ? node : undefined
}

/** A problem found after decoding. */
export interface LaterProblem {
  readonly code: DocumentCode
  readonly message: string
  /** Whether it is at the key rather than at its value. */
  readonly isAtKey?: boolean
}

/** Places a problem that was found after decoding: at its value, or at the nearest node above a missing one. */
export function problemAt(
  root: ConfigNode,
  path: Path,
  { isAtKey = false, ...description }: LaterProblem,
): DocumentProblem {
  const { node, key } = locate(root, path)
  const { problem } = findingAt(isAtKey ? key : node, path, description)
  return { ...problem, code: description.code }
}

interface Description {
  readonly code: string
  readonly message: string
}

function findingAt(
  { line, column, start }: ConfigNode,
  path: Path,
  description: Description,
  isOnlyWarning = false,
): Finding {
  const position = line === 0 ? {} : { line, column }
  const problem = { path: pathText(path), ...description, ...position }
  return { at: path, problem, start, isWarning: isOnlyWarning }
}

const plainKey = /^[A-Za-z_][\w-]{0,63}$/

const maxStepLength = 256

/** A path as a JSON pointer. Overlong keys are cut off. @see RFC 6901 */
function pointerText(path: Path): string {
  const shown = path
    .map(String)
    .map((key) => (key.length > maxStepLength ? `${key.slice(0, maxStepLength)}…` : key))
  return shown.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A path for people, as `webhooks[0].env["a b"]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`
    if (!plainKey.test(step)) return `${before}[${quoteKey(step)}]`
    return before === '' ? step : `${before}.${step}`
  }, '')
}

/** Each suggestion compares a key with all known ones, which would be slow for thousands of unknown keys. */
const maxSuggestions = 100

function unknownKeyFindings(
  { keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>,
  path: Path,
  root: ConfigNode,
): readonly Finding[] {
  const {
    notes,
    ignored,
    isOpen = false,
  } = (inst && unknownKeys.get(inst as Schema<unknown>)) ?? {}
  const known = Object.keys((inst?._zod.def as { shape?: object } | undefined)?.shape ?? {})
  return keys.map((key, index) => {
    const { key: node } = locate(root, [...path, key])
    const reason = ignored?.(key)
    const at = [...path, key]
    if (reason !== undefined) return findingAt(node, at, { code: 'ignored', message: reason }, true)
    const nearest = index < maxSuggestions ? nearestWord(key, known) : undefined
    const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    const note = notes?.get(key)
    const isHarmless = isOpen && note === undefined
    const effect = isHarmless ? ', which has no effect' : ''
    const message = `unknown key ${quoteKey(key)}${effect}${note === undefined ? suggestion : `: ${note}`}`
    return findingAt(node, at, { code: 'unknown_key', message }, isHarmless)
  })
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
}

/** Translates an issue of zod into our wording. */
function describeIssue(issue: Issue, given: unknown): Description {
  if (issue.code === 'custom') {
    return { code: paramsOf(issue.params)?.code ?? 'out_of_range', message: issue.message ?? '' }
  }
  if (given === undefined) return { code: 'required', message: 'is missing' }
  if (issue.code === 'invalid_type') {
    const expected = typeNames[issue.expected] ?? issue.expected
    return { code: 'wrong_type', message: wrongType(given, expected) }
  }
  if (issue.code === 'invalid_value') return describeWord(issue.values.map(String), given)
  if (issue.code === 'too_small' && issue.origin === 'array') {
    return { code: 'empty', message: 'must not be an empty list' }
  }
  if (issue.code === 'too_small') {
    return { code: 'out_of_range', message: `must be at least ${issue.minimum}` }
  }
  if (issue.code === 'too_big') {
    return { code: 'out_of_range', message: `must be at most ${issue.maximum}` }
  }
  return { code: 'wrong_type', message: 'is not valid' }
}

function describeWord(words: readonly string[], given: unknown): Description {
  if (typeof given !== 'string') return { code: 'wrong_type', message: wrongType(given, 'text') }
  return { code: 'out_of_range', message: unknownWord(given, words) }
}
