/**
 * The kind of a failure. Each kind maps to one HTTP status, only in `http/status.ts`.
 *
 * @see Authgear, API error names
 */
export type ErrorKind =
  | 'BadRequest'
  | 'Invalid'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Conflict'
  | 'AlreadyExists'
  | 'TooLarge'
  | 'TooManyRequest'
  | 'InternalError'
  | 'ServiceUnavailable'

/** Details of a failure for programs. Never contains a secret. */
export type ErrorInfo = Readonly<Record<string, unknown>>

/** Options of {@link GatehouseError}. */
export interface GatehouseErrorOptions {
  /** The error that led to this one. */
  cause?: unknown
  /** Details for programs. */
  info?: ErrorInfo
}

/** Marks expected failures, in all packages and copies of them. */
const brand = Symbol.for('gatehouse.error')

/** An expected failure of an operation. Programs may compare `reason`, which is stable; `message` is for people. */
export class GatehouseError extends Error {
  readonly kind: ErrorKind
  readonly reason: string
  readonly info: ErrorInfo

  constructor(
    kind: ErrorKind,
    reason: string,
    message: string,
    options: GatehouseErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GatehouseError'
    this.kind = kind
    this.reason = reason
    this.info = options.info ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  /** Also true for an error of another copy of this package, or of a package that it stands on: see {@link isGatehouseError}. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: classes that extend this one inherit it
    return this === GatehouseError ? isGatehouseError(value) : super[Symbol.hasInstance](value)
  }
}

/**
 * Creates errors without a stack trace. For refusals that any client can provoke at will, capturing the stack would take longer than
 * everything else.
 */
export function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Whether a caught value is a {@link GatehouseError}. Also true for an error from another copy of this package (a program may
 * load it both as ESM and as CommonJS), and for a `GoError` of `@gatehouse/go-template`, which has the same mark and properties.
 */
export function isGatehouseError(error: unknown): error is GatehouseError {
  return typeof error === 'object' && error !== null && brand in error
}

/** Why something was refused, as fields of a log line. */
export const refusalFields = (error: unknown): object =>
  isGatehouseError(error) ? { reason: error.reason, error: error.message } : { err: error }

const maxCauses = 5
const maxTextLength = 1_024

/** The message of an error and those of its causes, for a log; each once. */
export function errorText(error: unknown): string {
  const texts: string[] = []
  for (let at = error, left = maxCauses; at !== undefined && left > 0; at = causeOf(at), left--) {
    const text = messageOf(at).slice(0, maxTextLength)
    if (!texts.some((earlier) => earlier.includes(text))) texts.push(text)
  }
  return texts.join(': ')
}

/** Some errors of Node.js have no message of their own, but one for each address that was tried. */
function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.cause === undefined) return error.errors[0]
  return error instanceof Error ? error.cause : undefined
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)
