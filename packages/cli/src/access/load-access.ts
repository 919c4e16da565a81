import type { Authorize } from '@gatehouse/core/adapter'
import type { MatcherMode } from '@gatehouse/core/alerts'
import {
  type ConfigNode,
  type DocumentProblem,
  inspectDocument,
  type Outside,
  parseDocument,
  problemAt,
  type Sound,
} from '@gatehouse/core/document'
import { readTextFile } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { createRefusals } from '../config/refusals.ts'
import { type AccessSection, accessSection } from './access-section.ts'
import { createIdentify, type Identify } from './identify.ts'
import { badMatchers, createAuthorize } from './roles.ts'

/** Who may do what on a server. */
export interface AccessRules {
  readonly section: AccessSection
  readonly identify: Identify
  readonly authorize: Authorize
}

/** The parts of a server that can identify senders. */
export interface AccessSurroundings {
  readonly mode: MatcherMode
  /** The names in `basic_auth_users`. */
  readonly users: ReadonlySet<string>
  readonly asksForCertificates: boolean
  readonly hasSessions: boolean
}

/** The rules of a section without problems. */
export function createAccessRules(section: AccessSection, mode: MatcherMode): AccessRules {
  return {
    section,
    identify: createIdentify(section),
    authorize: createAuthorize(section, mode),
  }
}

/**
 * Problems of a section that its schema cannot see.
 *
 * @param path of the section in the document.
 */
export function accessProblems(
  section: Sound<AccessSection>,
  root: ConfigNode,
  path: readonly string[],
  { mode, users, asksForCertificates, hasSessions }: AccessSurroundings,
): readonly DocumentProblem[] {
  const problem = (place: readonly (string | number)[], message: string): DocumentProblem =>
    problemAt(root, [...path, ...place], { code: 'conflict', message })
  const { certificates, sessions, session_attribute: attribute, api_keys: keys } = section
  const hasCertificates = (certificates?.size ?? 0) > 0
  const namesSessions = (sessions?.size ?? 0) > 0 || attribute !== undefined
  return [
    ...badMatchers(section, mode).map((bad) => problem(bad.path, bad.message)),
    ...[...(section.users?.keys() ?? [])]
      .filter((user) => !users.has(user))
      .map((user) =>
        problem(['users', user], 'basic_auth_users of the web configuration file has no such user'),
      ),
    ...(hasCertificates && !asksForCertificates
      ? [problem(['certificates'], 'TLS does not ask for client certificates')]
      : []),
    ...((keys?.size ?? 0) > 0 && !hasSessions
      ? [problem(['api_keys'], 'this server has no API keys')]
      : []),
    ...(namesSessions && !hasSessions
      ? [
          problem(
            [attribute === undefined ? 'sessions' : 'session_attribute'],
            'no user can sign in to this server',
          ),
        ]
      : []),
  ]
}

/**
 * Reads a file that holds only the section.
 *
 * @throws {Refused} with every problem.
 */
export async function readAccessFile(
  filename: string,
  surroundings: AccessSurroundings,
  files: ReadFiles,
): Promise<AccessRules> {
  const { text, directory } = await readTextFile(filename, files)
  const refusals = createRefusals(filename)
  const rules = await refusals.of(() => {
    const root = parseDocument({ text, filename })
    const context: Outside = {
      environment: process.env,
      readFile: files.readTextNow,
      directory,
      withheld: new Set(),
      holdsLiteralSecrets: false,
    }
    const { value, sound, problems } = inspectDocument(root, accessSection, { context })
    refusals.add(problems)
    if (sound !== undefined) refusals.add(accessProblems(sound, root, [], surroundings))
    return value && createAccessRules(value, surroundings.mode)
  })
  refusals.throwIfAny()
  if (rules === undefined) throw new TypeError(`${filename} was refused without a reason`)
  return rules
}
