import type * as z from 'zod/v4/core'
import type { Place } from './place.ts'

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

/** The parameters, the body and the answers of an operation. */
export interface ApiOperation {
  readonly summary: string
  /** The parameters in the query and in the header: schemas of objects. */
  readonly query?: z.$ZodType
  readonly headers?: z.$ZodType
  /** The JSON body of a request. */
  readonly body?: z.$ZodType
  readonly answers: ApiAnswers
}

/** The HTTP interface of a service: its operations by id. */
export interface ApiInterface<Id extends string = string> {
  /** Groups its operations in documents. */
  readonly tag: string
  /** The method and the path of each operation, below the base path of the service. */
  readonly places: Readonly<Record<Id, Place>>
  readonly operations: Readonly<Record<Id, ApiOperation>>
  /** The data of the events of its streams. */
  readonly events?: readonly z.$ZodType[]
}
