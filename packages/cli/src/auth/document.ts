import { resolve } from 'node:path'
import type { AuthConfigProblem } from '@gatehouse/core/auth'
import { type ConfigNode, type DocumentProblem, invalidDocument } from '@gatehouse/core/document'
import { isGatehouseError } from '@gatehouse/core/store'
import { parseWebhooksDocument } from '@gatehouse/core/webhook'
import { readTextFile, type TextFile } from '../config/config-file.ts'
import { Refused } from '../config/failure.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { problemLine } from '../config/refusals.ts'

/** A document in the shape of authgear.yaml, and the file it stands in. */
export interface AuthDocument {
  readonly node: ConfigNode
  readonly filename: string
  /** Where in the file its paths start. */
  readonly path: string
}

/**
 * Reads the document that the section `auth` of a file names or holds.
 *
 * @throws {Refused} if it cannot be parsed.
 * @throws {Error} if it cannot be read.
 */
export async function readAuthDocument(
  config: ConfigNode | undefined,
  file: TextFile,
  files: ReadFiles,
): Promise<AuthDocument> {
  if (config?.kind === 'mapping') {
    return { node: config, filename: file.filename, path: 'auth.config' }
  }
  const named = config?.kind === 'scalar' ? config.text : ''
  const source = await readTextFile(resolve(file.directory, named), files)
  const { filename } = source
  return { node: linesOf(filename, () => parseWebhooksDocument(source)), filename, path: '' }
}

/** Reports problems of an inline document together with the problems of its file. */
export function inDocument<T>({ filename, path }: AuthDocument, read: () => T): T {
  return path === '' ? linesOf(filename, read) : read()
}

/** Turns problems of a file into lines with places and paths. */
function linesOf<T>(filename: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') throw error
    // Only auth documents are read here.
    const problems = error.info.problems as readonly AuthConfigProblem[]
    throw new Refused(problems.map((problem) => problemLine(problem, filename)))
  }
}

/** @throws {GatehouseError} `InvalidConfig` or {@link Refused} if there are problems. */
export function refuseProblems(document: AuthDocument, problems: readonly DocumentProblem[]): void {
  if (problems.length === 0) return
  inDocument(document, () => {
    throw invalidDocument(problems, document.filename)
  })
}
