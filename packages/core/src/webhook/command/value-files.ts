import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import { readSource, readSourceBytes } from '../request/source.ts'
import type { ValueFile, Webhook } from '../webhook.ts'
import { valueMissing, valueProblem, valueRejected } from './request-value.ts'

/** The content of a private file of a run. */
export interface FileContent {
  /** The variable for the path of the file. */
  readonly env: string
  readonly bytes: Uint8Array
}

/** Decodes base64, ignoring line ends; `undefined` if it is invalid. */
function decodeBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/[\r\n]/g, '')
  const bytes = Buffer.from(digits, 'base64')
  // The decoder drops unknown characters, so compare with the encoded result.
  return bytes.toString('base64') === digits ? bytes : undefined
}

/** A file, or none if its value is missing and may be. */
function resolveFile(file: ValueFile, delivery: Delivery, now: Instant): readonly FileContent[] {
  const purpose = { variable: file.env }
  const exact = file.base64 ? undefined : readSourceBytes(file.from, delivery)
  // What is not text stays as it is. A pattern is about text.
  if (exact !== undefined && file.pattern === undefined) {
    if (file.max_length !== undefined && exact.length > file.max_length) {
      throw valueRejected(purpose, file.source, `has more than ${file.max_length} bytes`)
    }
    return [{ env: file.env, bytes: exact }]
  }
  const sent = readSource(file.from, delivery, now)
  if (sent === undefined && file.on_missing === 'error') throw valueMissing(purpose, file.source)
  if (sent === undefined && file.on_missing === 'skip') return []
  const value = sent ?? ''
  const problem = sent === undefined ? undefined : valueProblem({ ...file, allow_dash: true }, sent)
  if (problem !== undefined) throw valueRejected(purpose, file.source, problem)
  if (!value.isWellFormed()) {
    throw valueRejected(purpose, file.source, 'has half a surrogate pair')
  }
  const bytes = file.base64 ? decodeBase64(value) : new TextEncoder().encode(value)
  if (bytes === undefined) throw valueRejected(purpose, file.source, 'is not base64')
  return [{ env: file.env, bytes }]
}

const noFiles: readonly FileContent[] = []

/**
 * The contents of the files of a run, from its delivery.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected`, with `variable` and `source` in `info`.
 */
export function resolveFiles(
  webhook: Pick<Webhook, 'files'>,
  delivery: Delivery,
  now: Instant,
): readonly FileContent[] {
  if (webhook.files.length === 0) return noFiles
  return webhook.files.flatMap((file) => resolveFile(file, delivery, now))
}
