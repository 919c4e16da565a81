import * as z from 'zod/mini'
import { type ApiSchema, described, namedObject } from '../api/schema.ts'

/** The schema of the body of a refusal below `/gatehouse/v1`. */
export const ownFailureOf = (
  id: string,
  reason: ApiSchema,
  info: ApiSchema = z.record(z.string(), z.unknown()),
): ApiSchema =>
  namedObject(id, 'Why a request was refused.', {
    reason,
    message: described(z.string(), 'For people: may change.'),
    info: described(z.optional(info), 'Details for programs.'),
  })
