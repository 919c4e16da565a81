import { resolve } from 'node:path'
import { isGatehouseError } from '@gatehouse/core'
import {
  type AuthConfig,
  type AuthConfigProblem,
  decodeAuthConfig,
  type LoginIdLists,
  type SecretKey,
} from '@gatehouse/core/auth'
import type { ConfigNode, ConfigProblem } from '@gatehouse/core/config'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import { parseWebhooksDocument } from '@gatehouse/core/webhook'
import { readKeys } from './auth-keys.ts'
import { readLists } from './auth-lists.ts'
import type { AuthSection } from './auth-section.ts'
import { readTextFile, type TextFile } from './config-file.ts'
import { forDevelopment, namesOrigin } from './development.ts'
import { Refused } from './failure.ts'
import { isLiteral, type Outside } from './outside-text.ts'
import type { ReadFiles } from './read-files.ts'
import { problemLine, type Refusals } from './refusals.ts'
import type { SenderSettings } from './senders/create-senders.ts'
import { readHttpSender } from './senders/http.ts'
import { readSmtp } from './senders/smtp.ts'

/** What the section `auth` says beside its document, with all that it takes from outside. */
export interface AuthSettings extends SenderSettings {
  readonly secrets: readonly SecretKey[]
  readonly lists: LoginIdLists
  readonly maxBodyBytes: number | undefined
  /** Whether the section has a part `dev`. */
  readonly isDevelopment: boolean
  /** Whether secrets stand in the file itself, as opposed to where it says. */
  readonly holdsLiteralSecrets: boolean
}

/** The section `auth` and the files it names, read and checked. */
export interface LoadedAuth {
  /** The file that holds the document. */
  readonly filename: string
  readonly settings: AuthSettings
  /**
   * The document. One for development that does not say where it is reached is reached at this origin; to all others it means
   * nothing.
   */
  configAt(origin: string): AuthConfig
  /** Whether `origin` means something. */
  readonly takesOrigin: boolean
}

/** Options of {@link loadAuth}. */
export interface LoadAuthOptions {
  /** The file of the section. */
  readonly file: TextFile
  readonly files: ReadFiles
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Takes what is wrong. */
  readonly refusals: Refusals
}

/** For a look at whether a document is good. */
export const anyOrigin = 'http://localhost'

/**
 * Reads a section and the files it names. What is wrong is noted in `refusals`, with nothing to answer then.
 *
 * @throws {Error} of Node, for what is no fault of the files.
 */
export async function loadAuth(
  section: AuthSection,
  { file, files, environment, refusals }: LoadAuthOptions,
): Promise<LoadedAuth | undefined> {
  const problems: ConfigProblem[] = []
  const { directory } = file
  const report = (problem: ConfigProblem): void => void problems.push(problem)
  const settings = await readSettings(section, { environment, files, directory, report })
  refusals.add(problems)
  const document = await refusals.of(() => readDocument(section, file, files))
  if (document === undefined) return undefined
  const configAt = (origin: string): AuthConfig => {
    const node = settings.isDevelopment ? forDevelopment(document.node, origin) : document.node
    return decodeAuthConfig(node, { filename: document.filename })
  }
  const config = await refusals.of(() => decode(() => configAt(anyOrigin), document), document.path)
  if (config !== undefined) await refusals.of(() => checkStrength(config))
  const takesOrigin = settings.isDevelopment && !namesOrigin(document.node)
  return { filename: document.filename, settings, configAt, takesOrigin }
}

async function readSettings(section: AuthSection, outside: Outside): Promise<AuthSettings> {
  const { keys, key_file: file, smtp, sms, whatsapp, lists, dev } = section
  const given = file === undefined ? keys : [{ id: undefined, key: undefined, file }]
  return {
    secrets: await readKeys(given, outside),
    smtp: smtp && (await readSmtp(smtp, outside)),
    sms: sms && readHttpSender(sms, outside),
    whatsapp: whatsapp && readHttpSender(whatsapp, outside),
    lists: lists === undefined ? {} : await readLists(lists, outside),
    maxBodyBytes: section.max_body_bytes,
    isDevelopment: dev !== undefined,
    printCodes: dev?.print_codes ?? false,
    holdsLiteralSecrets: [
      ...keys.map(({ key }) => key),
      smtp?.password,
      sms?.token,
      whatsapp?.token,
    ]
      .filter((text) => text !== undefined)
      .some(isLiteral),
  }
}

/** A document and the file it stands in. */
interface Document {
  readonly node: ConfigNode
  readonly filename: string
  /** Where in the file its paths start. */
  readonly path: string
}

async function readDocument(
  { config }: AuthSection,
  file: TextFile,
  files: ReadFiles,
): Promise<Document> {
  if (config?.kind === 'mapping') {
    return { node: config, filename: file.filename, path: 'auth.config' }
  }
  const named = config?.kind === 'scalar' ? config.text : ''
  const source = await readTextFile(resolve(file.directory, named), files)
  const { filename } = source
  return { node: linesOf(filename, () => parseWebhooksDocument(source)), filename, path: '' }
}

/** What is wrong with a document that stands in the section is told among what is wrong with its file. */
const decode = (read: () => AuthConfig, { filename, path }: Document): AuthConfig =>
  path === '' ? linesOf(filename, read) : read()

/** Has what is wrong with a file told in lines, with places and paths. */
function linesOf<T>(filename: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') throw error
    // Only documents of the service are read here.
    const problems = error.info.problems as readonly AuthConfigProblem[]
    const lines = problems.map(({ path, line = 1, column = 1, message }) =>
      problemLine({ path, line, column, message }, filename),
    )
    throw new Refused(lines)
  }
}

/** The levels above it need what rates passwords. */
const freeLevel = 1

/** @throws {GatehouseError} `MissingPackage` if passwords must be rated, and what does it is not installed. */
async function checkStrength({ authenticator }: AuthConfig): Promise<void> {
  if (authenticator.password.policy.minimum_guessable_level <= freeLevel) return
  await createPasswordStrength()('a password to see whether it can be rated')
}
