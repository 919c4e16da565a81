import { withinTime } from '../../../async/within-time.ts'
import { type GatehouseError, isGatehouseError } from '../../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../storage/storage.ts'
import type { Clock } from '../../../time/clock.ts'
import { oauthProtocolError } from '../oauth-errors.ts'
import { readEndpointUrl } from './endpoint-url.ts'
import { type Fetch, type FetchAnswer, ForbiddenAddressError } from './fetch.ts'
import { maxAnswerBytes, readJsonAnswer, TooLargeError } from './read-json-answer.ts'

/** A request that may hold secrets. */
export interface ProviderRequest {
  /** The name of the recipient in errors: `the token endpoint`. */
  readonly what: string
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  /** Makes the request a POST. */
  readonly form?: URLSearchParams
}

/** An answer in JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly body: Json
}

/** Sends requests to providers. Rejects with an `OAuthProtocolError`, which contains no URL and no secret. */
export interface ProviderHttp {
  /** Sends a request to its URL only, without following redirects. */
  send(request: ProviderRequest): Promise<JsonAnswer>
  /** Gets a document that is not secret, following redirects. */
  getDocument(what: string, url: string): Promise<JsonObject>
}

/** Options of {@link createProviderHttp}. */
export interface ProviderHttpOptions {
  /** Connects only to allowed addresses. */
  readonly fetch: Fetch
  readonly clock: Clock
  /** The timeout for the whole answer, in ms, redirects included. */
  readonly timeoutMs: number
  /** Whether `http` URLs are allowed too. */
  readonly allowHttp: boolean
}

const maxRedirects = 3
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** GitHub refuses requests without a user agent. A compressed body would need a second size limit. */
const commonHeaders = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'Gatehouse',
}
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** Creates a {@link ProviderHttp} over a `fetch`. */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const { fetch, clock, timeoutMs, allowHttp } = options

  const urlOf = (what: string, text: string, base?: string): string => {
    const url = readEndpointUrl(text, base === undefined ? { allowHttp } : { allowHttp, base })
    if (url === undefined) throw oauthProtocolError(`${what} has a URL that is not allowed`)
    return url.href
  }

  const inTime = <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withinTime(clock, {
      ms: timeoutMs,
      work,
      tooLate: () => oauthProtocolError(`${what} did not answer in time`),
    }).catch((error) => Promise.reject(inWords(what, error)))

  const follow = async (what: string, first: string, signal: AbortSignal): Promise<FetchAnswer> => {
    let url = urlOf(what, first)
    for (let followed = 0; followed <= maxRedirects; followed++) {
      const request = { method: 'GET', headers: commonHeaders, redirect: 'manual', signal } as const
      const answer = await fetch(url, request)
      if (!redirects.has(answer.status)) return answer
      discard(answer)
      const location = answer.headers.get('location')
      if (location === null) break
      url = urlOf(what, location, url)
    }
    throw oauthProtocolError(`${what} redirects too often, or without a location`)
  }

  return {
    send({ what, url, headers, form }) {
      const [method, type] =
        form === undefined ? (['GET', {}] as const) : (['POST', formType] as const)
      return inTime(what, async (signal) => {
        const answer = await fetch(urlOf(what, url), {
          method,
          headers: { ...commonHeaders, ...type, ...headers },
          ...(form === undefined ? {} : { body: form.toString() }),
          redirect: 'manual',
          signal,
        })
        return readAnswer(what, answer)
      })
    },

    getDocument(what, url) {
      return inTime(what, async (signal) => {
        const { status, body } = await readAnswer(what, await follow(what, url, signal))
        if (status === 200 && isJsonObject(body)) return body
        throw oauthProtocolError(`${what} answered ${status} without a JSON object`)
      })
    },
  }
}

async function readAnswer(what: string, answer: FetchAnswer): Promise<JsonAnswer> {
  const { status } = answer
  if (redirects.has(status)) {
    discard(answer)
    throw oauthProtocolError(`${what} redirects, which is not followed`)
  }
  const body = await readJsonAnswer(answer.body)
  if (body === undefined) throw oauthProtocolError(`${what} answered ${status}, without JSON`)
  return { status, body }
}

/** A stream that has failed cannot be canceled, and need not be. */
const discard = ({ body }: FetchAnswer): void => void body?.cancel().catch(() => undefined)

/** Reports only the code of foreign errors, because their messages may contain a URL with secrets. */
function inWords(what: string, error: unknown): GatehouseError {
  if (isGatehouseError(error)) return error
  if (error instanceof ForbiddenAddressError) {
    return oauthProtocolError(
      `${what} leads to an address that is not public (allowPrivateAddresses)`,
    )
  }
  if (error instanceof TooLargeError) {
    return oauthProtocolError(`${what} answered more than ${maxAnswerBytes} bytes`)
  }
  return oauthProtocolError(`${what} could not be reached (${codeOf(error)})`)
}

/** The code of the innermost cause that has one, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  let code: string | undefined
  let next = error
  for (let depth = 0; next instanceof Error && depth < 10; depth++) {
    if (
      'code' in next &&
      typeof next.code === 'string' &&
      /^[A-Z][A-Z\d_]{2,60}$/.test(next.code)
    ) {
      code = next.code
    }
    next = next.cause
  }
  return code ?? (error instanceof Error ? error.name : typeof error)
}
