import { type ErrorInfo, GatehouseError, isGatehouseError } from '../../errors.ts'
import { type Answer, plainFailure, textAnswer } from '../answer.ts'
import { statusOf } from '../status.ts'

/** The body of every refusal below `/gatehouse/v1`. */
export interface OwnFailure {
  /** For programs: stable, in PascalCase. */
  readonly reason: string
  /** For people: may change. */
  readonly message: string
  /** Details for programs. */
  readonly info?: ErrorInfo
}

/** The reasons of refusals that no operation decides. */
export const ownReasons = {
  NotFound: 404,
  MethodNotAllowed: 405,
  UnsupportedMediaType: 415,
  Forbidden: 403,
  ServerBusy: 503,
  TimedOut: 503,
  UnexpectedError: 500,
} as const

const json = 'application/json'

/** A refusal below `/gatehouse/v1`. */
export function ownFailure(
  status: number,
  failure: OwnFailure,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, `${JSON.stringify(failure)}\n`, {
    'content-type': json,
    ...headers,
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  })
}

/**
 * A refusal before a request reaches its route: our own body below `/gatehouse/v1`, at any prefix, and a line of text elsewhere.
 *
 * @param status 401 gets no challenge here.
 */
export function refuseEarly(
  { path }: { readonly path: string },
  status: number,
  { reason, message }: OwnFailure,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (!/(?:^|\/)gatehouse\/v1(?:\/|$)/.test(path))
    return plainFailure(status, `${message}\n`, headers)
  const body = `${JSON.stringify({ reason, message })}\n`
  return textAnswer(status, body, { 'content-type': json, ...headers })
}

/** A refusal for one of {@link ownReasons}. */
export function ownRefusal(
  reason: keyof typeof ownReasons,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return ownFailure(ownReasons[reason], { reason, message }, headers)
}

/** The answer to a method that a path does not take. */
export function otherMethodRefusal(allowed: readonly string[]): Answer {
  const verb = allowed.length === 1 ? 'is' : 'are'
  const message = `only ${allowed.join(' and ')} ${verb} supported`
  return ownRefusal('MethodNotAllowed', message, { allow: allowed.join(', ') })
}

/** The answer to a path that does not exist. */
export function unknownPathRefusal(path: string): Answer {
  return ownRefusal(
    'NotFound',
    `there is nothing at ${JSON.stringify(path.slice(0, maxPathLength))}`,
  )
}

/**
 * Refuses a parameter of the query that is not in camelCase: such a name is a misspelled one, and would have no effect.
 *
 * @throws {GatehouseError} `InvalidQuery`
 */
export function checkParameterNames(query: string): void {
  if (!/_|[A-Z]{2}/.test(query)) return
  for (const name of new URLSearchParams(query).keys()) {
    const right = camelCase(name).replace(/[A-Z]{2,}$/, ([first = '', ...rest]) =>
      [first, ...rest.map((letter) => letter.toLowerCase())].join(''),
    )
    if (right === name) continue
    const message = `there is no parameter ${JSON.stringify(name.slice(0, maxPathLength))}: did you mean ${JSON.stringify(right.slice(0, maxPathLength))}?`
    throw new GatehouseError('BadRequest', 'InvalidQuery', message)
  }
}

/** A name of our own API for one in snake_case. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

/** Paths come from clients; a message keeps this many characters. */
const maxPathLength = 200

/** The answer to a failed operation. An unexpected error reveals nothing of its cause. */
export function ownErrorAnswer(error: unknown): Answer {
  if (!isGatehouseError(error)) return ownRefusal('UnexpectedError', 'internal error')
  const { kind, reason, message, info } = error
  // The wait is sent in a header.
  const { retryAfterSeconds: wait, ...shown } = info
  const failure = { reason, message, ...(Object.keys(shown).length === 0 ? {} : { info: shown }) }
  return ownFailure(
    statusOf(kind),
    failure,
    typeof wait === 'number' ? { 'retry-after': `${wait}` } : {},
  )
}
