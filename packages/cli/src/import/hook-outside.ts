import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { NotCarriedOver } from './hook-sources.ts'

/** Where a template of a hooks file takes a value from. */
export interface OutsideValue {
  readonly from: 'env' | 'file' | 'cred'
  readonly name: string
}

/** What templates of a hooks file may read. */
export interface OutsideSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folders whose files may be read, with all folders in them. Absolute. */
  readonly folders: readonly string[]
}

const maxOutsideBytes = 1024 * 1024

/** The sources of one hooks file: the variables of this process, and the folder of the file besides those named by a flag. */
export function sourcesOf(file: string, folders: readonly string[]): OutsideSources {
  return {
    environment: process.env,
    folders: [dirname(resolve(file)), ...folders.map((folder) => resolve(folder))],
  }
}

/**
 * Stands for a value from outside in a rendered text, where its characters mean nothing in JSON, YAML and `js`. It says itself
 * what it stands for.
 */
export const markOf = ({ from, name }: OutsideValue): string =>
  `outside--${Buffer.from(`${from}:${name}`).toString('hex')}--`

const mark = /outside--((?:[0-9a-f]{2})+)--/g

export const hasMark = (text: string): boolean => text.search(mark) >= 0

const meantBy = (hex: string): string => Buffer.from(hex, 'hex').toString()

/** A text in which a webhook reads `${env:NAME}`, `${file:PATH}` and `${cred:NAME}`. */
export function withReferences(text: string): string {
  return text.replaceAll('${', () => '$${').replace(mark, (_, hex: string) => `\${${meantBy(hex)}}`)
}

/** A fixed text, where a webhook reads nothing but references. */
export const withoutReferences = (text: string): string =>
  text.replace(/\$\{(?=(?:env|file|cred):)/g, () => '$${')

/** A text that a webhook reads as it is, with the values themselves. */
export function withValues(text: string, sources: OutsideSources): string {
  return text.replace(mark, (_, hex: string) => {
    const [from, ...name] = meantBy(hex).split(':')
    return readOutside({ from: from as OutsideValue['from'], name: name.join(':') }, sources)
  })
}

/**
 * Reads a value now.
 *
 * @throws {NotCarriedOver} if it is not here, or may not be read.
 */
export function readOutside({ from, name }: OutsideValue, sources: OutsideSources): string {
  if (from !== 'env')
    return fileText(from === 'file' ? name : credentialPath(name, sources), sources)
  const value = sources.environment[name]
  if (value === undefined) {
    throw new NotCarriedOver(`its template reads the variable ${name}, which is not set here`)
  }
  return value
}

/** Where the program would find a credential: in the folder that systemd names, or in a variable without one. */
export function credentialSource(name: string, { environment }: OutsideSources): OutsideValue {
  const isVariable =
    environment.CREDENTIALS_DIRECTORY === undefined && environment[name] !== undefined
  return { from: isVariable ? 'env' : 'cred', name }
}

function credentialPath(name: string, { environment, folders }: OutsideSources): string {
  const folder = environment.CREDENTIALS_DIRECTORY ?? folders[0] ?? ''
  return join(folder, name)
}

function fileText(path: string, { environment, folders }: OutsideSources): string {
  const credentials = environment.CREDENTIALS_DIRECTORY
  const allowed = credentials === undefined ? folders : [...folders, resolve(credentials)]
  const real = realOf(resolve(folders[0] ?? '', path))
  if (real === undefined) throw new NotCarriedOver(`its template reads ${path}, which is not here`)
  const isAllowed = allowed.some((folder) => real.startsWith(`${realOf(folder) ?? folder}${sep}`))
  if (!isAllowed) {
    throw new NotCarriedOver(
      `its template reads ${path}, outside of the folder of the file; --read-from allows it`,
    )
  }
  const { size } = statSync(real)
  if (size > maxOutsideBytes) {
    throw new NotCarriedOver(
      `its template reads ${path}, which has more than ${maxOutsideBytes} bytes`,
    )
  }
  return readFileSync(real, 'utf8').replace(/\r?\n$/, '')
}

/** The path without links, so that no link leads out of a folder; `undefined` unless it is a file or a folder. */
function realOf(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    const found = statSync(real)
    return found.isFile() || found.isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}
