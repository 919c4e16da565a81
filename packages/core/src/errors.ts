/**
 * What sort of failure an error is. Each kind maps to one HTTP status, in `http/status.ts` alone.
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

/** Facts about a failure that a program may read. Never holds a secret. */
export type ErrorInfo = Readonly<Record<string, unknown>>

/** Options of {@link GatehouseError}. */
export interface GatehouseErrorOptions {
  /** The error that led to this one. */
  cause?: unknown
  /** Facts a program may read. */
  info?: ErrorInfo
}

const brand = Symbol.for('gatehouse.error')

/** An expected failure of an operation. `reason` is stable and may be compared; `message` is for people. */
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
}

/**
 * Makes errors that do not tell where they were made: of a refusal that anybody can provoke at will, finding that out takes
 * longer than all the rest.
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
 * Whether a caught value is a {@link GatehouseError}. Also true for one that was made by another copy
 * of this package (a program may load it both as ESM and as CommonJS), where `instanceof` fails.
 */
export function isGatehouseError(error: unknown): error is GatehouseError {
  return typeof error === 'object' && error !== null && brand in error
}
