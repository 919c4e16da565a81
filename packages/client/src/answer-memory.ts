/**
 * Decodes an answer, or returns the object that an earlier one with the same ETag was decoded to. Made by
 * {@link createAnswerMemory}.
 */
export type AnswerMemory = (
  url: string,
  answer: Response,
  decode: () => Promise<unknown>,
) => Promise<unknown>

/** The most URLs of which the last answer is known. */
const maxKnown = 50

/**
 * Creates a memory for the option `answers`, with which an answer that has not changed is the same object again: a list of 10,000
 * alerts is then neither parsed nor compared. So do not change what such a client returns. The memory keeps no object alive.
 *
 * @example
 * const client = createAlertsClient({ answers: createAnswerMemory() })
 */
export function createAnswerMemory(): AnswerMemory {
  const known = new Map<string, { readonly etag: string; readonly body: WeakRef<object> }>()
  return async (url, answer, decode) => {
    const etag = answer.headers.get('etag')
    const last = known.get(url)
    const kept = answer.ok && last?.etag === etag ? last?.body.deref() : undefined
    if (kept !== undefined) {
      // It is read to its end, so that the connection serves the next request. Where that fails, so does decoding, with its error.
      await answer.arrayBuffer().catch(decode)
      return kept
    }
    const body = await decode()
    if (etag === null || typeof body !== 'object' || body === null) return body
    known.delete(url)
    known.set(url, { etag, body: new WeakRef(body) })
    const [oldest] = known.keys()
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
    return body
  }
}
