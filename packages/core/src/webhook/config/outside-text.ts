import { membersOf, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { filled, filledText, soundText, text } from '../../document/values.ts'
import { pathFrom } from '../runner/program/path.ts'
import { mappingOf } from './fields.ts'
import type { Decode, Reading } from './place.ts'

/** Where a piece of a text is taken from. */
interface Reference {
  readonly from: 'env' | 'file' | 'cred'
  readonly name: string
}

type Resolved = { readonly value: string } | { readonly problem: string }

const longestPath = 1_000
const referenceOrEscape = /\$\$\{|\$\{(env|file|cred):([^}]*)(\}?)/g

/** A text in which `${env:NAME}`, `${file:PATH}` and `${cred:NAME}` stand for values from outside; it may be empty. */
export const outsideText: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  let isResolved = true
  const value = written.replace(referenceOrEscape, (match, from, name, end) => {
    if (match === '$${') return '${'
    const resolved =
      end === ''
        ? { problem: `\${${from}: is not closed with }` }
        : resolve(place.reading, { from, name })
    if ('value' in resolved) return resolved.value
    isResolved = false
    report(place, 'unresolved_reference', resolved.problem)
    return ''
  })
  return isResolved ? soundText(place, value) : undefined
}

/** A path of a file, which may be made of values from outside; a relative one counts from the configuration's folder. */
export const outsidePath: Decode<string> = (place) => {
  const value = outsideText(place)
  const path = value === undefined ? undefined : filled(place, value)
  return path === undefined ? undefined : pathFrom(place.reading.directory, path)
}

/** A secret: a text with values from outside, or an object that names one. More than blanks. */
export const secretText: Decode<string> = (place) => {
  const value = place.node.kind === 'mapping' ? outsideObject(place) : outsideText(place)
  if (value === undefined) return undefined
  const isWritten = place.node.kind === 'scalar' && !isTaken(place.node.text)
  if (isWritten && !isDigest(value)) place.reading.literalSecrets.push(place.path)
  return filled(place, value)
}

const isTaken = (written: string): boolean =>
  [...written.matchAll(referenceOrEscape)].some(([, from]) => from !== undefined)

/** Whether a configured token is a digest of the real one. */
export function isDigest(token: string): boolean {
  return /^(?:sha256:[0-9a-f]{64}|sha1:[0-9a-f]{40})$/i.test(token)
}

const objectParts = mappingOf<{ readonly env: string; readonly file: string }>({
  env: filledText,
  file: filledText,
})

/** `{ env: NAME }` or `{ file: PATH }`. */
export const outsideObject: Decode<string> = (place) => {
  const parts = objectParts(place)
  const known = membersOf(place).filter(({ key }) => key === 'env' || key === 'file')
  const [first, second] = known
  if (first === undefined) return report(place, 'required', 'needs one of the keys env and file')
  if (second !== undefined) return report(second.keyPlace, 'conflict', 'either env or file')
  const from = first.key === 'env' ? 'env' : 'file'
  const name = parts?.[from]
  if (name === undefined) return undefined
  const resolved = resolve(place.reading, { from, name })
  if ('problem' in resolved) {
    return report(first.valuePlace, 'unresolved_reference', resolved.problem)
  }
  return soundText(first.valuePlace, resolved.value)
}

function resolve(reading: Reading, { from, name }: Reference): Resolved {
  if (from === 'env') return readVariable(reading, name)
  if (from === 'file') return readFile(reading, `the file ${quoteKey(name, longestPath)}`, name)
  return readCredential(reading, name)
}

function readVariable({ environment, withheld }: Reading, name: string): Resolved {
  withheld.add(name)
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  const what = `the variable ${quoteKey(name)}`
  if (value === undefined) return { problem: `${what} is not set` }
  return value === '' ? { problem: `${what} is empty` } : { value }
}

function readCredential(reading: Reading, name: string): Resolved {
  const { environment } = reading
  const what = `the credential ${quoteKey(name)}`
  const directory = Object.hasOwn(environment, 'CREDENTIALS_DIRECTORY')
    ? environment.CREDENTIALS_DIRECTORY
    : undefined
  if (directory === undefined || directory === '') {
    return { problem: `${what} needs the variable CREDENTIALS_DIRECTORY` }
  }
  if (/^\.{0,2}$|\//.test(name)) return { problem: `${what} is no name of a file` }
  return readFile(reading, what, pathFrom(directory, name))
}

function readFile({ readFile: read, directory }: Reading, what: string, path: string): Resolved {
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
