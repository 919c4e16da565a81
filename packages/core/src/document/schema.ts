// Import the namespace: bundlers keep a re-exported one whole.

import { checkPattern, compilePattern, type Pattern } from '@gatehouse/go-template/regex'
import * as z from 'zod/mini'
import * as core from 'zod/v4/core'
import { isGatehouseError } from '../errors.ts'
import { nearestWord } from '../input/suggestion.ts'
import { isJsonObject } from '../storage/storage.ts'
import { aboutSchemas, type JsonSchema } from './about.ts'
import type { DocumentCode } from './problem.ts'

/** A schema: decodes a value of a document. */
export type Schema<T> = z.ZodMiniType<T, unknown>

/** A schema for each key, in documentation order. */
export type Fields<T> = { readonly [Key in keyof T]-?: Schema<T[Key]> }

/** How a mapping treats unknown keys. */
export interface UnknownKeys {
  /** Additions to the messages for some keys. */
  readonly notes?: ReadonlyMap<string, string>
  /** The reason for ignoring a key with a warning; `undefined` refuses the key (default: refuse all). */
  readonly ignored?: ((key: string) => string | undefined) & {
    /** The keys that are ignored, for the documentation. */
    readonly keys?: readonly string[]
  }
  /** Whether all other keys have a warning instead of a problem (default false). */
  readonly isOpen?: boolean
}

/** The treatment of unknown keys, by schema. */
export const unknownKeys: core.$ZodRegistry<UnknownKeys> = z.registry<UnknownKeys>()

/**
 * Reports a problem of a value, or at a path inside it. The message must not quote the value. Returns `undefined`, so a decoder
 * can return its result.
 */
export type Report<Code extends string = string> = (
  code: DocumentCode | Code,
  message: string,
  path?: readonly PropertyKey[],
) => undefined

/** The parameters of our issues, for {@link decodeDocument}. */
export interface IssueParams {
  readonly code: string
  /** Whether the problem is at the key rather than at its value. */
  readonly isAtKey?: boolean
  readonly isWarning?: boolean
}

type Issues = core.ParsePayload['issues']

function addIssue(
  issues: Issues,
  path: readonly PropertyKey[],
  message: string,
  params: IssueParams,
): void {
  issues.push({ code: 'custom', path: [...path], message, input: undefined, params: { ...params } })
}

const reportTo =
  (issues: Issues, isAtKey: boolean): Report =>
  (code, message, path = []) =>
    void addIssue(issues, path, message, { code, isAtKey })

/** A required key. */
export function required<T>(schema: Schema<T>, description: string): Schema<T> {
  const own = schema.clone(undefined, { parent: true })
  aboutSchemas.add(own, { description })
  return own
}

/** A key that may be absent. `fallback` is the default that takes its place elsewhere, in its written form, for the documentation. */
export function optional<T>(
  schema: Schema<T>,
  description: string,
  fallback?: unknown,
): Schema<T | undefined> {
  const own = z.optional(schema)
  const json = fallback === undefined ? {} : { json: { default: fallback } }
  aboutSchemas.add(own, { description, ...json })
  return own
}

/** A key with a default in its written form. */
export function withDefault<T>(
  schema: Schema<T>,
  written: unknown,
  description: string,
): Schema<T> {
  const own = z.prefault(schema, written)
  aboutSchemas.add(own, { description })
  return own
}

/** The same keys without defaults, for settings that are merged before defaults apply. */
export function withoutDefaults<T>(fields: Fields<T>): Fields<Partial<T>> {
  const entries = Object.entries<Schema<unknown>>(fields).map(([key, schema]) => {
    if (!(schema instanceof z.ZodMiniPrefault)) return [key, schema]
    const { innerType, defaultValue } = schema._zod.def
    const own = z.optional(innerType)
    aboutSchemas.add(own, { ...aboutSchemas.get(schema), json: { default: defaultValue } })
    return [key, own]
  })
  // Only the defaults were removed.
  return Object.fromEntries(entries) as Fields<Partial<T>>
}

/** Reads a value: returns its meaning, or reports a problem. `context` comes from {@link decodeDocument}. */
export type Read<Given, T, Context> = (
  given: Given,
  report: Report,
  context: Context,
) => T | undefined

interface KindDefinition extends core.$ZodTypeDef {
  readonly type: 'custom'
  readonly parse: (payload: core.ParsePayload, context: RunContext) => void
}

interface Kind extends z.ZodMiniType {
  readonly _zod: core.$ZodTypeInternals & { readonly def: KindDefinition }
}

// TypeScript needs an explicit type on the target of an assertion call.
const base: core.$constructor<z.ZodMiniType> = z.ZodMiniType

/** A schema of our own. Unlike a zod transform, it receives the context of the run. */
const Kind: core.$constructor<Kind> = core.$constructor('GatehouseKind', (kind, definition) => {
  base.init(kind, definition)
  kind._zod.parse = (payload, context) => {
    definition.parse(payload, context)
    return payload
  }
})

function kindOf<T>(parse: KindDefinition['parse']): Schema<T> {
  // Its output is what `parse` puts into the payload.
  return new Kind({ type: 'custom', parse }) as Schema<T>
}

function reading<Given, T, Context>(
  read: Read<Given, T, Context>,
  isAtKey = false,
): z.ZodMiniType<T, Given> {
  const kind = kindOf<T>((payload, { documentContext }) => {
    const { value, issues } = payload
    if (value === undefined) {
      issues.push({ code: 'invalid_type', expected: 'nonoptional', input: value })
    } else {
      // The caller of `parsed` states the types of input and context.
      payload.value = read(value as Given, reportTo(issues, isAtKey), documentContext as Context)
    }
  })
  return kind as z.ZodMiniType<T, Given>
}

/** A value decoded by a function. */
export function parsed<T, Context = unknown>(
  json: JsonSchema,
  read: Read<unknown, T, Context>,
): Schema<T> {
  const own = reading(read)
  aboutSchemas.add(own, { json })
  return own
}

/** A string decoded by a function. `texts` limits its input (default {@link text}). */
export function parsedText<T, Context = unknown>(
  read: Read<string, T, Context>,
  texts: Schema<string> = text,
): Schema<T> {
  return z.pipe(texts, reading(read))
}

/** Any string, even an empty one. */
export const text: Schema<string> = z.string().check(({ value, issues }) => {
  soundText(value, reportTo(issues, false))
})

/** Refuses strings that system calls or encodings cannot represent. */
export function soundText(value: string, report: Report): string | undefined {
  if (value.includes('\0')) return report('out_of_range', 'must not contain a NUL character')
  if (value.isWellFormed()) return value
  return report('out_of_range', 'must not contain half of a surrogate pair')
}

/** A string that is not blank. */
export const filledText: Schema<string> = text.check(({ value, issues }) => {
  filled(value, reportTo(issues, false))
})

/** Refuses a blank string. */
export function filled(value: string, report: Report): string | undefined {
  return value.trim() === '' ? report('empty', 'must not be empty') : value
}

/** A non-blank string with a rule; `expected` describes it. */
export function textLike(
  isSound: (value: string) => boolean,
  expected: string,
  base: Schema<string> = filledText,
): Schema<string> {
  return base.check(({ value, issues }) => {
    if (!isSound(value)) reportTo(issues, false)('out_of_range', `must be ${expected}`)
  })
}

/** The key of a {@link mapOf} mapping. */
export function keyOf<T>(read: (key: string, report: Report) => T | undefined): Schema<T> {
  return z.pipe(z.string(), reading(read, true))
}

/** `true` or `false`. */
export const flag: Schema<boolean> = z.boolean()

/** A whole number from `least` to `most`, inclusive. */
export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER
  const range = isOpen ? `at least ${least}` : `from ${least} to ${most}`
  const limits = {
    ...(least === Number.MIN_SAFE_INTEGER ? {} : { minimum: least }),
    ...(isOpen ? {} : { maximum: most }),
  }
  return parsed({ type: 'integer', ...limits }, (given, report) => {
    if (typeof given !== 'number' || (Number.isFinite(given) && !Number.isInteger(given))) {
      return report('wrong_type', wrongType(given, 'a whole number'))
    }
    return given >= least && given <= most ? given : report('out_of_range', `must be ${range}`)
  })
}

/** One of several words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Schema<Word> {
  return z.enum(words)
}

/** A list. */
export function listOf<T>(item: Schema<T>): Schema<readonly T[]> {
  return z.array(item)
}

/** A list with at least one item. */
export function filledListOf<T>(item: Schema<T>): Schema<readonly T[]> {
  return z.array(item).check(z.minLength(1))
}

/** A mapping with free keys. Returns a Map, because a key may be `__proto__`. */
export function mapOf<Key, T>(key: Schema<Key>, value: Schema<T>): Schema<ReadonlyMap<Key, T>> {
  const entries = parsed({ type: 'object' }, (given, report) =>
    isMapping(given)
      ? new Map<unknown, unknown>(Object.entries(given))
      : report('wrong_type', wrongType(given, 'a mapping')),
  )
  const own = z.pipe(entries, z.map(key, value))
  aboutSchemas.add(own, { values: value })
  return own
}

/** Options of {@link mapping}. */
export interface MappingOptions extends UnknownKeys {
  /** The name of its type in the JSON Schema. */
  readonly title?: string
}

const mergeKeyNote = ['<<', 'YAML 1.2 has no merge keys'] as const

/** A mapping with known keys. */
export function mapping<T extends object>(
  fields: Fields<T>,
  { title, notes: given, ignored, isOpen = false }: MappingOptions = {},
): Schema<T> {
  // Fields<T> has a schema for every key of T, and optional keys of T accept undefined.
  const own = z.strictObject(fields) as unknown as Schema<T>
  const idleNames = ignored?.keys
  if (title !== undefined || idleNames !== undefined) {
    aboutSchemas.add(own, { ...(title && { title }), ...(idleNames && { idleNames }) })
  }
  const notes = new Map([mergeKeyNote, ...(given ?? [])])
  unknownKeys.add(own, ignored === undefined ? { notes, isOpen } : { notes, ignored, isOpen })
  return own
}

/** One of several schemas. `pick` chooses by the written value, so that problems come from the intended schema. */
export function choice<T>(
  schemas: readonly Schema<T>[],
  pick: (given: unknown) => Schema<T>,
): Schema<T> {
  const own = kindOf<T>((payload, context) => {
    const result = runSchema(pick(payload.value), payload.value, context)
    payload.issues.push(...result.issues)
    payload.value = result.value
  })
  aboutSchemas.add(own, { choices: schemas })
  return own
}

/** One of several mappings, chosen by the word under a key. */
export function variants<T>(key: string, schemas: ReadonlyMap<string, Schema<T>>): Schema<T> {
  const unknown = parsed<T>({}, (given, report) => {
    if (!isMapping(given)) return report('wrong_type', wrongType(given, 'a mapping'))
    const word: unknown = Reflect.get(given, key)
    if (word === undefined) return report('required', 'is missing', [key])
    if (typeof word !== 'string') return report('wrong_type', wrongType(word, 'text'), [key])
    return report('out_of_range', unknownWord(word, [...schemas.keys()]), [key])
  })
  return choice([...schemas.values()], (given) => {
    const word: unknown = isMapping(given) ? Reflect.get(given, key) : undefined
    return (typeof word === 'string' ? schemas.get(word) : undefined) ?? unknown
  })
}

/** The context of a schema while it runs. */
export interface RunContext extends core.ParseContextInternal {
  readonly documentContext?: unknown
}

/** Runs a schema. Issues and a value can both be present, because some issues are warnings. */
export function runSchema(
  schema: Schema<unknown>,
  value: unknown,
  context: RunContext,
): core.ParsePayload {
  const result = schema._zod.run({ value, issues: [] }, context)
  if (result instanceof Promise) throw new TypeError('schemas of documents are synchronous')
  return result
}

/** A recursive schema. */
export function recursive<T>(schema: () => Schema<T>): Schema<T> {
  return z.lazy(schema)
}

/** The valid parts of a value; other parts are `undefined`. */
export type Sound<T> =
  T extends ReadonlyMap<infer Key, infer Value>
    ? ReadonlyMap<Key, Sound<Value>>
    : T extends readonly (infer Item)[]
      ? readonly (Sound<Item> | undefined)[]
      : T extends (...given: never[]) => unknown
        ? T
        : T extends object
          ? { readonly [Key in keyof T]?: Sound<T[Key]> | undefined }
          : T

/** The tools of a rule over several keys. Paths are relative to the value of the rule. */
export interface Checking<T> {
  readonly value: Sound<T>
  /** Whether a value is present but invalid; rules should not judge what depends on it. */
  isBroken(...path: PropertyKey[]): boolean
  /** Reports a problem of a value; if it is missing, at the nearest node above it. */
  report(path: readonly PropertyKey[], code: string, message: string): undefined
  /** Reports a missing key of a mapping, before those of its missing keys that come later. */
  reportMissing(path: readonly PropertyKey[], message: string, later: readonly string[]): undefined
  /** Reports a problem of a key. */
  reportKey(path: readonly PropertyKey[], code: string, message: string): undefined
  /** Notes something that is not wrong, but was probably not meant. */
  warn(path: readonly PropertyKey[], message: string): void
}

/** Adds a warning for some values. */
export function noted<T>(schema: Schema<T>, noteOf: (value: T) => string | undefined): Schema<T> {
  return schema.check(({ value, issues }) => {
    const message = noteOf(value)
    if (message !== undefined) addIssue(issues, [], message, { code: 'warning', isWarning: true })
  })
}

/** Adds a rule over several keys, or over several items. It runs over the sound ones if others are wrong. */
export function checked<T extends object>(
  schema: Schema<T>,
  rule: (checking: Checking<T>) => void,
): Schema<T> {
  const isList = schema._zod.def.type === 'array'
  const check = core._check<T>(
    ({ value, issues }) => {
      // Only what zod noted before the rule.
      const errors = issues.filter((issue) => !isWarning(issue))
      rule({
        value: soundPart(value, errors.flatMap(soundPath)) as Sound<T>,
        isBroken: (...path) =>
          errors.some((issue) => !isMissing(issue) && startsWith(issue.path ?? [], path)),
        report: (path, code, message) => void addIssue(issues, path, message, { code }),
        reportMissing: (path, message, later) => {
          const own: Issues = []
          addIssue(own, path, message, { code: 'required' })
          const mapping = path.slice(0, -1)
          const next = issues.findIndex(
            (issue) =>
              isMissing(issue) &&
              issue.path?.length === path.length &&
              startsWith(issue.path, mapping) &&
              later.includes(String(issue.path.at(-1))),
          )
          issues.splice(next < 0 ? issues.length : next, 0, ...own)
        },
        reportKey: (path, code, message) =>
          void addIssue(issues, path, message, { code, isAtKey: true }),
        warn: (path, message) =>
          void addIssue(issues, path, message, { code: 'warning', isWarning: true }),
      })
    },
    // Also if there are issues already.
    { when: ({ value }) => (isList ? Array.isArray(value) : isMapping(value)) },
  )
  return schema.check(check)
}

/** Makes something of a sound value; of one that is not, nothing. `build` may find that it is not sound. */
export function built<T, Result, Context = unknown>(
  schema: Schema<T>,
  build: Read<T, Result, Context>,
): Schema<Result> {
  const own = kindOf<Result>((payload, context) => {
    const { value, issues } = runSchema(schema, payload.value, context)
    payload.issues.push(...issues)
    // An unknown key, which may be one to ignore, makes nothing else unsound.
    payload.value = issues.every((issue) => isWarning(issue) || issue.code === 'unrecognized_keys')
      ? // Without another issue it is what the schema makes.
        build(value as T, reportTo(payload.issues, false), context.documentContext as Context)
      : undefined
  })
  aboutSchemas.add(own, { choices: [schema] })
  return own
}

type Issue = Issues[number]

/** Whether an issue is only a warning. */
export function isWarning({ code, params }: Issue): boolean {
  return code === 'custom' && paramsOf(params)?.isWarning === true
}

/** The parameters of an issue that our schemas raised. */
export function paramsOf(params: unknown): IssueParams | undefined {
  // Only `addIssue` gives parameters.
  return params as IssueParams | undefined
}

const isMissing = ({ code, input }: Issue): boolean =>
  code === 'invalid_type' && input === undefined

const startsWith = (path: readonly PropertyKey[], start: readonly PropertyKey[]): boolean =>
  start.every((step, index) => path[index] === step)

/** The sound parts of what a schema made. */
export function soundOf<T>({ value, issues }: core.ParsePayload): Sound<T> | undefined {
  const errors = issues.filter((issue) => !isWarning(issue))
  // A value without its unsound parts.
  return soundPart(value, errors.flatMap(soundPath)) as Sound<T> | undefined
}

/** An unknown key makes nothing else unsound. */
const soundPath = ({ code, path = [] }: Issue): readonly PropertyKey[][] =>
  code === 'unrecognized_keys' ? [] : [path]

/** A copy without what stands at some paths. */
function soundPart(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (paths.length === 0) return value
  if (paths.some((path) => path.length === 0)) return undefined
  const heads = new Map<PropertyKey | undefined, PropertyKey[][]>()
  for (const [head, ...rest] of paths) {
    const below = heads.get(head)
    if (below === undefined) heads.set(head, [rest])
    else below.push(rest)
  }
  const partOf = (key: PropertyKey, member: unknown): unknown =>
    soundPart(member, heads.get(key) ?? [])
  if (value instanceof Map) {
    // A key that is not sound has become undefined.
    const entries = [...value].filter(([key]) => key !== undefined)
    return new Map(entries.map(([key, one]) => [key, partOf(String(key), one)]))
  }
  if (Array.isArray(value)) return value.map((one, index) => partOf(index, one))
  if (!isMapping(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, partOf(key, one)]))
}

/** Whether a value of a document is a mapping. */
export const isMapping = (value: unknown): value is object => isJsonObject(value)

/** Says that a value is not of the type that it must be of; the value itself is not shown. */
export function wrongType(given: unknown, expected: string): string {
  if (given === null) return `is empty, but must be ${expected}`
  const isText = typeof given === 'string'
  const isUnquoted = typeof given === 'number' || typeof given === 'boolean'
  if (expected === 'text' && isUnquoted) return 'must be text: put it in quotes'
  const looksRight = expected === 'true or false' ? /^(?:true|false)$/ : /^\s*[-+]?[\d.]+\s*$/
  const isQuoted = isText && /number|true or false/.test(expected) && looksRight.test(given)
  return isQuoted ? `must be ${expected}: write it without quotes` : `must be ${expected}`
}

/** Says which words there are, and which one was probably meant. */
export function unknownWord(given: string, words: readonly string[]): string {
  const nearest = nearestWord(given, words)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `must be one of ${words.join(', ')}${suggestion}`
}

/**
 * An expression that may match anywhere in a text, in time linear in its length, even if an attacker chose it.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export const searchPattern: Schema<Pattern> = parsedText((written, report) =>
  readPattern(written, (expression) => `(?s:.*)(?:${expression})(?s:.*)`, report),
)

/** An expression that the whole of a text must match. */
export const wholePattern: Schema<Pattern> = parsedText((written, report) =>
  readPattern(written, (expression) => expression, report),
)

function readPattern(
  written: string,
  wrap: (written: string) => string,
  report: Report,
): Pattern | undefined {
  try {
    // By itself first: within brackets even ")(" would be an expression.
    checkPattern(written)
    return compilePattern(wrap(written))
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return report('bad_pattern', `must be a regular expression: ${reasonOf(error.message)}`)
  }
}

/** The reason without the expression, which may be a secret. Syntax that other engines know is named. */
function reasonOf(message: string): string {
  const [, reason = '', fragment = ''] =
    /^error parsing regexp: (.*?): `(.*)`$/s.exec(message) ?? []
  if (/^\(\?<?[=!]/.test(fragment)) {
    return 'lookahead and lookbehind are not supported, as in RE2'
  }
  if (/^\\[1-9k]/.test(fragment)) return 'backreferences are not supported, as in RE2'
  if (/^\\u/.test(fragment)) return 'a code point is written \\x{1F600}, as in RE2'
  return reason
}
