import { pathFrom } from './path.ts'
import { quoteKey } from './problem.ts'
import {
  built,
  checked,
  choice,
  filled,
  filledText,
  isMapping,
  mapping,
  optional,
  parsedText,
  type Report,
  type Schema,
  soundText,
} from './schema.ts'

/** The sources of values from outside a configuration, and findings while reading them. */
export interface Outside {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly readFile: ((path: string) => string) | undefined
  /** The base of relative paths. */
  readonly directory: string
  /** The names of the variables that were read. */
  readonly withheld: Set<string>
  /** Whether the configuration itself contains a secret. */
  holdsLiteralSecrets: boolean
}

/** Where references find their values. */
export type ReferenceSources = Pick<Outside, 'environment' | 'readFile' | 'directory'>

type Sources = Omit<Outside, 'holdsLiteralSecrets'>

/** The source of a piece of a text. */
interface Reference {
  readonly from: 'env' | 'file' | 'cred'
  readonly name: string
}

type Resolved = { readonly value: string } | { readonly problem: string }

const maxPathLength = 1_000
const referenceOrEscape = /\$\$\{|\$\{(env|file|cred):([^}]*)(\}?)/g

/** A text with references `${env:NAME}`, `${file:PATH}` and `${cred:NAME}` to values from outside; it may be empty. */
export const outsideText: Schema<string> = parsedText(expand)

function expand(written: string, report: Report, outside: Outside): string | undefined {
  const { value, problems } = replaceReferences(written, referenceOrEscape, outside)
  for (const problem of problems) report('unresolved_reference', problem)
  return problems.length === 0 ? soundText(value, report) : undefined
}

interface Replaced {
  readonly value: string
  readonly problems: readonly string[]
}

function replaceReferences(written: string, pattern: RegExp, outside: Sources): Replaced {
  const problems: string[] = []
  const value = written.replace(pattern, (match, from, name, end) => {
    if (match === '$${') return '${'
    const resolved =
      end === ''
        ? { problem: `\${${from}: is not closed with }` }
        : resolve(outside, { from, name })
    if ('value' in resolved) return resolved.value
    problems.push(resolved.problem)
    return ''
  })
  return { value, problems }
}

/** Like {@link referenceOrEscape}, for texts of others: `$${` is an escape only before a reference. */
const foreignReference = /\$\$\{(?=(?:env|file|cred):)|\$\{(env|file|cred):([^}]*)(\}?)/g

/** Whether a text that is not ours has references or escaped ones, as {@link expandForeign} resolves them. */
export function holdsReferences(written: string): boolean {
  return written.includes('${') && written.search(foreignReference) >= 0
}

/**
 * Resolves the references of a text in a format that is not ours. All other text stays: `$${env:` is written for `${env:`, and
 * `$${` without a source is no escape.
 */
export function expandForeign(written: string, sources: ReferenceSources): Replaced {
  return replaceReferences(written, foreignReference, { ...sources, withheld: new Set() })
}

const expandPlain = (written: string, report: Report, outside: Outside): string | undefined => {
  const { value, problems } = expandForeign(written, outside)
  for (const problem of problems) report('unresolved_reference', problem)
  return problems.length === 0 ? soundText(value, report) : undefined
}

/**
 * A text that is no secret, with references to values from outside. Commands may inherit the variables that it reads, and `$${`
 * without a source stays, because shells have it.
 */
export const plainOutsideText: Schema<string> = parsedText(expandPlain)

/** Like {@link plainOutsideText}, but not blank. */
export const filledOutsideText: Schema<string> = parsedText((written, report, outside: Outside) => {
  const value = expandPlain(written, report, outside)
  return value === undefined ? undefined : filled(value, report)
})

/**
 * The path of a file, which may contain references to values from outside; a relative path starts at the configuration's folder.
 */
export const outsidePath: Schema<string> = parsedText((written, report, outside: Outside) => {
  const value = expand(written, report, outside)
  const path = value === undefined ? undefined : filled(value, report)
  return path === undefined ? undefined : pathFrom(outside.directory, path)
})

const isTaken = (written: string): boolean =>
  [...written.matchAll(referenceOrEscape)].some(([, from]) => from !== undefined)

/** Whether a configured token is a digest of the real one. */
export function isDigest(token: string): boolean {
  return /^(?:sha256:[0-9a-f]{64}|sha1:[0-9a-f]{40})$/i.test(token)
}

interface OutsideObject {
  readonly env: string | undefined
  readonly file: string | undefined
}

const objectParts = checked(
  mapping<OutsideObject>(
    {
      env: optional(filledText, 'The variable of the server that holds the value.'),
      file: optional(filledText, 'The file that holds the value; a newline at its end is dropped.'),
    },
    { title: 'OutsideValue' },
  ),
  ({ value: { env, file }, isBroken, report, reportKey }) => {
    const hasEnv = env !== undefined || isBroken('env')
    const hasFile = file !== undefined || isBroken('file')
    if (!hasEnv && !hasFile) report([], 'required', 'needs env or file')
    if (hasEnv && hasFile) reportKey(['file'], 'conflict', 'set env or file, not both')
  },
)

/** `{ env: NAME }` or `{ file: PATH }`. */
export const outsideObject: Schema<string> = built(
  objectParts,
  ({ env, file = '' }, report, outside: Outside) => {
    const from = env === undefined ? 'file' : 'env'
    const result = resolve(outside, { from, name: env ?? file })
    const reportAt: Report = (code, message) => report(code, message, [from])
    if ('value' in result) return soundText(result.value, reportAt)
    return reportAt('unresolved_reference', result.problem)
  },
)

const secretFromText: Schema<string> = parsedText((written, report, outside: Outside) => {
  const value = expand(written, report, outside)
  if (value === undefined) return undefined
  if (!isTaken(written) && !isDigest(value)) outside.holdsLiteralSecrets = true
  return filled(value, report)
})

const secretFromObject = built(outsideObject, filled)

/** A secret: a string with references, or an object with `env` or `file`. Must not be blank. */
export const secretText: Schema<string> = choice([secretFromText, secretFromObject], (given) =>
  isMapping(given) ? secretFromObject : secretFromText,
)

function resolve(outside: Sources, { from, name }: Reference): Resolved {
  if (from === 'env') return readVariable(outside, name)
  if (from === 'file') return readFile(outside, `the file ${quoteKey(name, maxPathLength)}`, name)
  return readCredential(outside, name)
}

function readVariable({ environment, withheld }: Sources, name: string): Resolved {
  withheld.add(name)
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  const what = `the variable ${quoteKey(name)}`
  if (value === undefined) return { problem: `${what} is not set` }
  return value === '' ? { problem: `${what} is empty` } : { value }
}

function readCredential(outside: Sources, name: string): Resolved {
  const { environment } = outside
  const what = `the credential ${quoteKey(name)}`
  const directory = Object.hasOwn(environment, 'CREDENTIALS_DIRECTORY')
    ? environment.CREDENTIALS_DIRECTORY
    : undefined
  if (directory === undefined || directory === '') {
    return { problem: `${what} needs the variable CREDENTIALS_DIRECTORY` }
  }
  if (/^\.{0,2}$|\//.test(name)) return { problem: `${what} must be the name of a file` }
  return readFile(outside, what, pathFrom(directory, name))
}

function readFile({ readFile: read, directory }: Sources, what: string, path: string): Resolved {
  if (path === '') return { problem: 'a file needs a name' }
  if (read === undefined) return { problem: `${what} cannot be read: no files are read here` }
  try {
    const value = read(pathFrom(directory, path)).replace(/\r?\n$/, '')
    return value === '' ? { problem: `${what} is empty` } : { value }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return { problem: `${what} cannot be read${code}` }
  }
}
