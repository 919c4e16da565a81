import * as z from 'zod/mini'
import { invalidRequest } from '../errors.ts'
import type { RunFilter } from '../list-runs.ts'
import { runStatuses } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'

const filterSchema = z.object({
  id: z.optional(z.string()),
  status: z.optional(z.enum(runStatuses, { error: `is none of ${runStatuses.join(', ')}` })),
  limit: z.optional(
    z.pipe(
      z
        .string()
        .check(z.regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, { error: 'is no number from 1 to 500' })),
      z.transform(Number),
    ),
  ),
  before: z.optional(
    z.string().check(z.regex(/^run_[0-9a-z]{26}$/, { error: 'is no id of a run' })),
  ),
})

const outputSchema = z.object({
  stream: z._default(
    z.enum(['stdout', 'stderr', 'both'], { error: 'is none of stdout, stderr, both' }),
    'both',
  ),
  follow: z._default(z.enum(['0', '1'], { error: 'is neither 0 nor 1' }), '0'),
})

/** What is asked of the output of a run. */
export interface OutputQuery {
  readonly streams: readonly OutputStream[]
  /** Whether it is sent until the run has ended. */
  readonly follow: boolean
}

/** The first value of each parameter the schema knows; an empty one counts as absent. */
function decode<T>(schema: z.ZodMiniObject & z.ZodMiniType<T>, query: string): T {
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
