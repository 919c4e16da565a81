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

/** What an operation of an HTTP interface takes and answers. */
export interface ApiOperation {
  readonly summary: string
  /** The parameters in the query and in the header: schemas of objects. */
  readonly query?: z.$ZodType
  readonly headers?: z.$ZodType
  /** The JSON body of a request. */
  readonly body?: z.$ZodType
  readonly answers: ApiAnswers
}

/** The HTTP interface of a service. `Id` is the id of an operation. */
export interface ApiInterface<Id extends string = string> {
  /** Groups its operations in documents. */
  readonly tag: string
  /** Where they are, below the base path of the service. */
  readonly places: Readonly<Record<Id, Place>>
  readonly operations: Readonly<Record<Id, ApiOperation>>
  /** The data of the events of its streams. */
  readonly events?: readonly z.$ZodType[]
}
