/** The answer of a route, before it becomes a `Response`. */
export interface Answer {
  readonly status: number
  /** By lower-case name; a list is a header that is sent several times, such as `set-cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** `null` for an answer without a body. Bytes may be shared with other answers and must not change. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  /** Length of the body in bytes; 0 if the body is a stream of unknown length. */
  readonly byteLength: number
}

/** Converts an answer into a standard `Response`. */
export function toResponse({ status, headers, body }: Answer): Response {
  if (hasNoLists(headers)) return new Response(body, { status, headers })
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value].flat()) all.append(name, one)
  }
  return new Response(body, { status, headers: all })
}

const hasNoLists = (headers: Answer['headers']): headers is Readonly<Record<string, string>> =>
  Object.values(headers).every((value) => typeof value === 'string')

/** An answer with a text. */
export function textAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  return { status, headers, body: text, byteLength: Buffer.byteLength(text) }
}

/** An answer without a body. */
export function emptyAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const length = status === 204 ? {} : { 'content-length': '0' }
  return { status, headers: { ...length, ...headers }, body: null, byteLength: 0 }
}

/** A failure as plain text, as Go's servers write it. */
export function plainFailure(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, text, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
}

const htmlEscapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
])

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEscapes.get(character) ?? '')
}

/** Redirects a client; only a GET gets a page with the link. @see https://pkg.go.dev/net/http#Redirect */
export function redirect(status: 301 | 302, method: string, location: string): Answer {
  const title = status === 301 ? 'Moved Permanently' : 'Found'
  const type = { 'content-type': 'text/html; charset=utf-8', location }
  if (method === 'HEAD') return { status, headers: type, body: null, byteLength: 0 }
  if (method !== 'GET') return emptyAnswer(status, { location })
  return textAnswer(status, `<a href="${escapeHtml(location)}">${title}</a>.\n\n`, type)
}
