import {
  type Decode,
  type Fields,
  json,
  objectOf,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import type { FlowInput } from '../flow/view.ts'
import type { RequestContext } from './flow-result.ts'

/** Decoders of the properties of a request. Header values come unchecked from clients. */
export const requestFields: Fields<RequestContext> = {
  ip: optional(rawText),
  userAgent: optional(rawText),
  acceptLanguage: optional(rawText),
  cookie: optional(rawText),
  query: optional(rawText),
}

/** Decodes an input. Its step checks the members. */
export const flowInput: Decode<FlowInput> = recordOf(json)

/** Decodes the properties of a request. */
export const requestContext: Decode<RequestContext> = objectOf(requestFields)
