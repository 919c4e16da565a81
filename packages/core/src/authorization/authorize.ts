import type { Action } from './action.ts'

/** Who sends a request. */
export interface Subject {
  /** The name that is recorded, such as in `createdBy` of a silence. Never a secret. */
  readonly id: string
  /** How the subject proved who it is, such as `user`, `token`, `certificate` or `session`. */
  readonly kind?: string
  /** The roles of the subject, if the program that identified it knows them. */
  readonly roles?: readonly string[]
}

/** A matcher of a silence, as the API has it. */
export interface ResourceMatcher {
  readonly name: string
  readonly value: string
  readonly isRegex: boolean
  readonly isEqual: boolean
}

/** What an action is about. */
export type Resource =
  | {
      readonly kind: 'silence'
      /** `undefined` for a new one. */
      readonly id: string | undefined
      readonly matchers: readonly ResourceMatcher[]
      readonly createdBy: string
    }
  | { readonly kind: 'webhook'; readonly id: string }

/**
 * Decides whether a subject may do something. Called once for each decision, before anything is read or written. An error counts as
 * a fault of the server: the request is answered with 500.
 *
 * @param subject `undefined` for a request whose sender is unknown.
 * @param resource `undefined` for an action on the whole service. `silences:*` always has a silence; `webhooks:*` has a webhook,
 * except for the list of all runs. Both have none where {@link whoAmI} asks whether the subject may do it to any.
 */
export type Authorize = (
  subject: Subject | undefined,
  action: Action,
  resource: Resource | undefined,
) => boolean | Promise<boolean>

/**
 * The sender of a request, for operations that take one: a `RequestInfo`, or `{ subject }`. Without a caller, an operation trusts
 * the program that calls it.
 */
export interface Caller {
  /** `undefined` if the sender is unknown. */
  readonly subject?: Subject | undefined
}

/**
 * The name of a caller, for records; `undefined` if it is unknown.
 *
 * @throws {TypeError} if the program that identified the caller gave no usable name.
 */
export function nameOf(caller: Caller | undefined): string | undefined {
  if (caller?.subject === undefined) return undefined
  const { id } = caller.subject
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  throw new TypeError('subject.id: expected a non-empty string')
}
