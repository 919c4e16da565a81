/** What a handler answers, before it becomes a `Response`. */
export interface Answer {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `null` for an answer without a body. */
  readonly body: string | ReadableStream<Uint8Array> | null
  /** Length of the body in bytes. */
  readonly byteLength: number
}

const bodyText: unique symbol = Symbol.for('gatehouse.bodyText')

/**
 * The standard `Response` of an answer. A body that is one text is also kept beside it, so that an adapter for a
 * framework without `Response` may send it without reading it from a stream: {@link bodyTextOf}.
 */
export function toResponse({ status, headers, body }: Answer): Response {
  const response: Response & { [bodyText]?: string } = new Response(body, { status, headers })
  if (typeof body === 'string') response[bodyText] = body
  return response
}

/** The body of a `Response` where it is known to be one text; `undefined` says nothing. */
export function bodyTextOf(response: Response): string | undefined {
  const text: unknown = Reflect.get(response, bodyText)
  return typeof text === 'string' ? text : undefined
}

/** An answer of one text. */
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

/** A failure as plain text, the way Go's servers write it. */
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

/** A text that means itself in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEscapes.get(character) ?? '')
}

/** Sends a client elsewhere; only a GET gets a page that says so. @see https://pkg.go.dev/net/http#Redirect */
export function redirect(status: 301 | 302, method: string, location: string): Answer {
  const title = status === 301 ? 'Moved Permanently' : 'Found'
  const type = { 'content-type': 'text/html; charset=utf-8', location }
  if (method === 'HEAD') return { status, headers: type, body: null, byteLength: 0 }
  if (method !== 'GET') return emptyAnswer(status, { location })
  return textAnswer(status, `<a href="${escapeHtml(location)}">${title}</a>.\n\n`, type)
}
