import { resolve } from 'node:path'
import { type ConfigKind, type ConfigProblem, text } from '@gatehouse/core/config'
import { fileProblem } from './config-file.ts'
import type { ReadFiles } from './read-files.ts'

/** A text of a file, and where it stands there. */
export interface PlacedText {
  /** As it is written. */
  readonly written: string
  readonly path: string
  readonly line: number
  readonly column: number
}

/** A text that may be absent; the empty one is. */
export const placedText: ConfigKind<PlacedText | undefined> = {
  typeName: 'string',
  zero: undefined,
  isOptional: true,
  decode(place) {
    const written = text.decode(place)
    const { line, column } = place.node
    return written === '' ? undefined : { written, path: place.path, line, column }
  },
  encode: () => undefined,
}

/** Where values from outside are found. */
export interface Outside {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly files: ReadFiles
  /** Where relative paths start from. */
  readonly directory: string
  /** Notes what is wrong with a text. */
  report(problem: ConfigProblem): void
}

/** Notes a problem of a text. */
export function reportText({ report }: Outside, place: PlacedText, message: string): void {
  const { path, line, column } = place
  report({ path, line, column, message })
}

const referenceOrEscape = /\$\$\{|\$\{(env|file|cred):([^}]*)(\}?)/g

/** Whether nothing in a text is from outside. */
export function isLiteral({ written }: PlacedText): boolean {
  return [...written.matchAll(referenceOrEscape)].every(([, from]) => from === undefined)
}

/**
 * A text in which `${env:NAME}`, `${file:PATH}` and `${cred:NAME}` stand for values from outside, as they do in the settings of
 * webhooks. `undefined`, with a problem noted, if one is not there.
 */
export function outsideText(outside: Outside, place: PlacedText): string | undefined {
  let isResolved = true
  const value = place.written.replace(
    referenceOrEscape,
    (match, from: keyof typeof readers, name: string, end) => {
      if (match === '$${') return '${'
      try {
        if (end === '') throw new Error(`\${${from}: is not closed with }`)
        return readers[from](outside, name)
      } catch (error) {
        isResolved = false
        reportText(outside, place, error instanceof Error ? error.message : String(error))
        return ''
      }
    },
  )
  return isResolved ? value : undefined
}

/** The text of a file that a text names, without its last line end. `undefined`, with a problem noted, if it cannot be read. */
export async function outsideFile(
  outside: Outside,
  place: PlacedText,
): Promise<string | undefined> {
  try {
    const content = await outside.files.read(resolve(outside.directory, place.written))
    return content.toString('utf8').replace(/\r?\n$/, '')
  } catch (error) {
    reportText(outside, place, `${place.written}: ${fileProblem(error)}`)
    return undefined
  }
}

const readers = { env: variable, file, cred: credential }

function variable({ environment }: Outside, name: string): string {
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (value === undefined) throw new Error(`the variable ${JSON.stringify(name)} is not set`)
  return filled(value, `the variable ${JSON.stringify(name)}`)
}

function file({ files, directory }: Outside, path: string): string {
  let content: string
  try {
    content = files.readTextNow(resolve(directory, path))
  } catch (error) {
    throw new Error(`${path}: ${fileProblem(error)}`)
  }
  return filled(content.replace(/\r?\n$/, ''), path)
}

/** Of systemd. @see https://systemd.io/CREDENTIALS/ */
function credential(outside: Outside, name: string): string {
  const { CREDENTIALS_DIRECTORY: directory = '' } = outside.environment
  if (directory === '') {
    throw new Error(
      `the credential ${JSON.stringify(name)} needs the variable CREDENTIALS_DIRECTORY`,
    )
  }
  if (/^\.{0,2}$|\//.test(name)) {
    throw new Error(`the credential ${JSON.stringify(name)} is no name of a file`)
  }
  return file({ ...outside, directory }, name)
}

function filled(value: string, name: string): string {
  if (value === '') throw new Error(`${name} is empty`)
  return value
}
