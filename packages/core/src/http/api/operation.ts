import type * as z from 'zod/v4/core'

/** An answer of an operation. */
export interface ApiAnswer {
  readonly description: string
  /** The schema of its JSON body (default: it has none). */
  readonly schema?: z.$ZodType
  /** Its other media types. */
  readonly types?: readonly string[]
}

/** The answers of an operation by status; `default` is any other. */
export interface ApiAnswers {
  readonly [status: number]: ApiAnswer
  readonly default?: ApiAnswer
}

/** One operation of an HTTP interface, for the OpenAPI document and for clients. */
export interface ApiOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base path of the service. `:name` is a parameter, as in a route. */
  readonly path: string
  readonly id: string
  readonly summary: string
  /** The parameters in the query and in the header: schemas of objects. */
  readonly query?: z.$ZodType
  readonly headers?: z.$ZodType
  /** The JSON body of a request. */
  readonly body?: z.$ZodType
  readonly answers: ApiAnswers
}

/** The HTTP interface of a service. */
export interface ApiInterface {
  /** Groups its operations in documents. */
  readonly tag: string
  readonly operations: readonly ApiOperation[]
  /** The data of the events of its streams. */
  readonly events?: readonly z.$ZodType[]
}
