/** What failed: reading a text, something that was asked for, or staying within a limit. */
export type GoErrorKind = 'BadRequest' | 'Invalid' | 'TooLarge'

/** Options of {@link GoError}. */
export interface GoErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown
  /** Details for programs. */
  readonly info?: Readonly<Record<string, unknown>>
}

/** Marks expected failures. All packages of `@gatehouse` have the same mark, so that each knows the errors of the others. */
const mark = Symbol.for('gatehouse.error')

/** An expected failure, with Go's text. Programs may compare `reason`, which is stable; `message` is for people. */
export class GoError extends Error {
  readonly kind: GoErrorKind
  readonly reason: string
  readonly info: Readonly<Record<string, unknown>>

  constructor(kind: GoErrorKind, reason: string, message: string, options: GoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GoError'
    this.kind = kind
    this.reason = reason
    this.info = options.info ?? {}
    Object.defineProperty(this, mark, { value: true })
  }
}

/** An expected failure, from whichever package: it has a stable `reason`. */
export interface ExpectedError extends Error {
  readonly reason: string
}

/**
 * Whether a caught value is an expected failure: a {@link GoError}, also from another copy of this package, or an error with the
 * same mark, such as one that a function of a template throws.
 */
export function isExpectedError(error: unknown): error is ExpectedError {
  return typeof error === 'object' && error !== null && mark in error
}
