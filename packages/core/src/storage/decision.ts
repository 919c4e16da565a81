import type { Instant } from '../time/clock.ts'

/** The content of a record; without a value there is no record. */
export interface Content<T> {
  readonly value: T | undefined
  /** When the record expires (default never). From then on it counts as absent. */
  readonly expiresAt?: Instant | undefined
}

/** The result of a {@link Decide}. */
export interface Decision<T, A> {
  /** The new value of the record; `undefined` removes it. If value and expiry are unchanged, nothing is written. */
  readonly value: T | undefined
  /** When the record expires (default never, whatever it was before). From then on it counts as absent. */
  readonly expiresAt?: Instant | undefined
  /** The answer for the caller, returned once the decision is stored. */
  readonly answer: A
}

/**
 * Decides on the value of a record (`undefined` if there is none) and on its expiry. Must be pure: it is called again when it
 * turns out that another process has changed the record.
 */
export type Decide<T, A> = (value: T | undefined, expiresAt: Instant | undefined) => Decision<T, A>

/** Decides on several records at once, in the order of their ids. Must be pure, like {@link Decide}. */
export type DecideTogether<T, A> = (contents: readonly Content<T>[]) => {
  /** The new contents, in the same order. */
  readonly contents: readonly Content<T>[]
  readonly answer: A
}

/** No record. */
export const none: Content<never> = { value: undefined }

/** Whether a decision changes nothing. */
export const isSame = <T>(one: Content<T>, other: Content<T>): boolean =>
  one.value === other.value && one.expiresAt === other.expiresAt
