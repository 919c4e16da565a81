import { discardBody, readAnswer } from './read-answer.ts'
import type { Exchange, Fetch, WireRequest } from './wire.ts'

/** Sends one request with `fetch`. */
export async function fetchRequest(
  fetch: Fetch,
  { method, url, headers, body, maxAnswerBytes }: WireRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  const answer = await fetch(url.href, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal,
  })
  return {
    status: answer.status,
    location: new Headers(Array.from(answer.headers)).get('location'),
    read: () => readAnswer(answer, signal, maxAnswerBytes),
    discard: () => discardBody(answer),
  }
}
