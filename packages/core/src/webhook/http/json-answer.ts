import { type Answer, emptyAnswer } from '../../http/answer.ts'

/** Statuses whose answers have no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** An answer with a body of text or bytes, or without one if the status allows none. */
export function bodyAnswer(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): Answer {
  if (withoutBody.has(status)) return emptyAnswer(status, headers)
  const byteLength = Buffer.byteLength(body)
  const all = { 'content-length': `${byteLength}`, ...headers }
  return {
    status,
    headers: all,
    body: typeof body === 'string' ? body : Uint8Array.from(body),
    byteLength,
  }
}

/** An answer of JSON. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const type = 'application/json; charset=utf-8'
  return bodyAnswer(status, JSON.stringify(value), { 'content-type': type, ...headers })
}
