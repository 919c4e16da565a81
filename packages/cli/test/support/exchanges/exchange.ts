/**
 * One request of the side-by-side run. In its path and body `{now+3600}` is an instant that many seconds after the start of the
 * run (whole seconds, UTC), and `{id:NAME}` the silence id that the server returned to the exchange with `keepId: NAME`.
 */
export interface Exchange {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Keeps the returned silence id under this name. */
  readonly keepId?: string
  /** The response becomes right after a moment (alerts posted are grouped and inhibited behind the response): repeat until it does. */
  readonly settles?: boolean
  /** Names the row of `differences.ts` for this exchange alone. */
  readonly difference?: string
}

/** Fields of an exchange besides method, path and body. */
export type ExchangeExtras = Partial<Omit<Exchange, 'method' | 'path' | 'body'>>

const json = { 'content-type': 'application/json' }

/** A GET, named after its path unless the extras name it. */
export function get(path: string, extras: ExchangeExtras = {}): Exchange {
  return { name: `GET ${path}`, method: 'GET', path, ...extras }
}

/** A POST of JSON; a string is sent unchanged, everything else is encoded. */
export function post(
  name: string,
  path: string,
  body: unknown,
  extras: ExchangeExtras = {},
): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { name, method: 'POST', path, headers: json, body: text, ...extras }
}

/** A request of any method. */
export function call(
  method: string,
  path: string,
  extras: ExchangeExtras & { body?: string } = {},
): Exchange {
  return { name: `${method} ${path}`, method, path, ...extras }
}

/** A query string; a name may occur several times. */
export function query(...pairs: readonly (readonly [string, string])[]): string {
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
