import * as z from 'zod'
import { invalidRequest } from '../errors.ts'
import type { RunFilter } from '../list-runs.ts'
import { runStatuses } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'

const filterSchema = z.object({
  id: z.string().optional(),
  status: z.enum(runStatuses, { error: `is none of ${runStatuses.join(', ')}` }).optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: 'is no number from 1 to 500' })
    .transform(Number)
    .refine((limit) => limit <= 500, { error: 'is no number from 1 to 500' })
    .optional(),
  before: z
    .string()
    .regex(/^run_[0-9a-z]{26}$/, { error: 'is no id of a run' })
    .optional(),
})

const outputSchema = z.object({
  stream: z
    .enum(['stdout', 'stderr', 'both'], { error: 'is none of stdout, stderr, both' })
    .default('both'),
  follow: z.enum(['0', '1'], { error: 'is neither 0 nor 1' }).default('0'),
})

/** What is asked of the output of a run. */
export interface OutputQuery {
  readonly streams: readonly OutputStream[]
  /** Whether it is sent until the run has ended. */
  readonly follow: boolean
}

/** The first value of each parameter the schema knows; an empty one counts as absent. */
function decode<T>(schema: z.ZodObject & z.ZodType<T>, query: string): T {
  const parameters = new URLSearchParams(query)
  const given = Object.keys(schema.shape).map((name) => [name, parameters.get(name) || undefined])
  const decoded = schema.safeParse(Object.fromEntries(given))
  if (decoded.success) return decoded.data
  const problems = decoded.error.issues.map(({ path, message }) => {
    return { path: path.join('.'), problem: message }
  })
  throw invalidRequest(problems)
}

/**
 * Which runs a query asks for.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeRunFilter(query: string): RunFilter {
  const filter = Object.entries(decode(filterSchema, query))
  return Object.fromEntries(filter.filter(([, value]) => value !== undefined))
}

/**
 * Which output a query asks for.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeOutputQuery(query: string): OutputQuery {
  const { stream, follow } = decode(outputSchema, query)
  return { streams: stream === 'both' ? ['stdout', 'stderr'] : [stream], follow: follow === '1' }
}
