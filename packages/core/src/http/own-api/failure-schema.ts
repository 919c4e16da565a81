import * as z from 'zod'

/** The schema of the body of a refusal below `/gatehouse/v1`. */
export const ownFailureOf = (
  id: string,
  reason: z.ZodType,
  info: z.ZodType = z.record(z.string(), z.unknown()),
): z.ZodType =>
  z
    .object({
      reason,
      message: z.string().describe('For people: may change.'),
      info: info.optional().describe('Details for programs.'),
    })
    .meta({ id, description: 'Why a request was refused.' })
