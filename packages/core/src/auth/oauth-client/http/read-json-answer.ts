import type { Json } from '../../../storage/storage.ts'
import { isDeeperThan } from '../json-object.ts'
import type { FetchAnswer } from './fetch.ts'

/** More than any document of a provider. */
export const maxAnswerBytes: number = 1024 * 1024
const maxLevels = 32

/** The answer exceeds the limit. */
export class TooLargeError extends Error {}

/**
 * Reads a body as JSON; `undefined` if it is not JSON, or is nested too deeply.
 *
 * @throws {TooLargeError} as soon as more than a mebibyte has arrived.
 */
export async function readJsonAnswer(body: FetchAnswer['body']): Promise<Json | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new TooLargeError()
    chunks.push(chunk)
  }
  return parseJson(Buffer.concat(chunks))
}

function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isDeeperThan(maxLevels, value) ? undefined : value
  } catch {
    // Malformed UTF-8 or JSON.
    return undefined
  }
}
