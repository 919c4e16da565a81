import { dirname, resolve } from 'node:path'
import type { MappingNode } from '@gatehouse/core/config'
import { nodeAt } from '@gatehouse/core/document'
import { parseWebhooksDocument, type WebhooksConfigPart } from '@gatehouse/core/webhook'
import { fileProblem, type TextFile } from '../config/config-file.ts'
import { Refused } from '../config/failure.ts'
import { createReadFiles, pathsOf, type ReadFiles } from '../config/read-files.ts'
import { createRefusals, problemLine } from '../config/refusals.ts'
import { decodeOwnConfig, type OwnConfigAlone } from './api-config.ts'

/** The file of `gatehouse api`, parsed but not decoded. */
export interface ApiDocument {
  readonly file: TextFile
  readonly root: MappingNode
}

/**
 * Parses the file of `gatehouse api`.
 *
 * @throws {Refused} if it cannot be read or is not a mapping.
 */
export async function readApiDocument(filename: string, files: ReadFiles): Promise<ApiDocument> {
  const refusals = createRefusals(filename)
  const document = await refusals.of(async () => {
    const file = await readSource(filename, files)
    return { file, root: parseWebhooksDocument(file) }
  })
  refusals.throwIfAny()
  if (document?.root.kind === 'mapping') return { file: document.file, root: document.root }
  throw new Refused([`${filename}: must be a mapping`])
}

/**
 * Reads the further files with webhooks that a file names. The file itself is not one of them, even if it matches a pattern.
 *
 * @throws {Error} if a pattern is not valid.
 */
export async function readWebhookFiles(
  { file, root }: ApiDocument,
  files: ReadFiles,
): Promise<readonly WebhooksConfigPart[]> {
  const named = nodeAt(root, 'webhook_files')
  const written = named?.kind === 'sequence' ? named.items : []
  const paths = written.flatMap((one) =>
    one.kind === 'scalar' && one.text !== '' ? [resolve(file.directory, one.text)] : [],
  )
  const main = resolve(file.filename)
  const parts: WebhooksConfigPart[] = []
  for (const filename of await pathsOf(paths, files)) {
    if (filename !== main) parts.push(await readPart(filename, files))
  }
  return parts
}

/** A file that cannot be read takes only its own webhooks down. */
async function readPart(filename: string, files: ReadFiles): Promise<WebhooksConfigPart> {
  const directory = dirname(filename)
  try {
    const { text } = await readSource(filename, files)
    return { filename, directory, text }
  } catch (error) {
    const { message } = error as Error
    return { filename, directory, text: new Error(message.replace(`${filename}: `, '')) }
  }
}

/** Reads the file without its byte-order mark. */
async function readSource(filename: string, files: ReadFiles): Promise<TextFile> {
  let content: Uint8Array
  try {
    content = await files.read(filename)
  } catch (error) {
    throw new Error(`${filename}: ${fileProblem(error)}`, { cause: error })
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
    return { filename, directory: dirname(resolve(filename)), text }
  } catch (error) {
    throw new Error(`${filename}: is not UTF-8`, { cause: error })
  }
}

/**
 * Decodes the settings of a file that are not about webhooks, for a command without them.
 *
 * @throws {Refused} with every problem.
 */
export async function readOwnConfig(
  filename: string,
): Promise<{ readonly own: OwnConfigAlone; readonly directory: string }> {
  const { file, root } = await readApiDocument(filename, createReadFiles())
  const { value: own, problems } = decodeOwnConfig(root)
  if (own === undefined)
    throw new Refused(problems.map((problem) => problemLine(problem, filename)))
  return { own, directory: file.directory }
}
