import * as z from 'zod/mini'
import type * as core from 'zod/v4/core'
import { aboutSchemas } from '../../document/about.ts'
import { invalidRequest } from '../errors.ts'
import type { GetRunOptions } from '../get-run.ts'
import type { RunFilter } from '../list-runs.ts'
import { runStatuses } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'

const limit = z.pipe(
  z
    .string()
    .check(z.regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, { error: 'must be a number from 1 to 500' })),
  z.transform(Number),
)
aboutSchemas.add(limit, { json: { type: 'integer', minimum: 1, maximum: 500 } })

const output = z._default(z.enum(['0', '1'], { error: 'must be 0 or 1' }), '1')

const filterSchema = z.object({
  output,
  id: z.optional(z.string()),
  status: z.optional(z.enum(runStatuses, { error: `must be ${runStatuses.join(', ')}` })),
  limit: z.optional(limit),
  before: z.optional(
    z.string().check(z.regex(/^run_[0-9a-z]{26}$/, { error: 'must be the id of a run' })),
  ),
})

const runSchema = z.object({ output })

const outputSchema = z.object({
  stream: z._default(
    z.enum(['stdout', 'stderr', 'both'], { error: 'must be stdout, stderr or both' }),
    'both',
  ),
  follow: z._default(z.enum(['0', '1'], { error: 'must be 0 or 1' }), '0'),
})

const refusalsSchema = z.object({ id: z.string({ error: 'is missing' }) })

const changesSchema = z.object({ id: z.optional(z.string()), since: z.optional(z.string()) })

/** The schemas of the queries, for the description of the interface. */
export const runQueries: {
  readonly filter: core.$ZodType
  readonly run: core.$ZodType
  readonly output: core.$ZodType
  readonly changes: core.$ZodType
  readonly refusals: core.$ZodType
} = {
  filter: filterSchema,
  run: runSchema,
  output: outputSchema,
  changes: changesSchema,
  refusals: refusalsSchema,
}

/** The query for the output of a run. */
export interface OutputQuery {
  readonly streams: readonly OutputStream[]
  /** Whether to stream until the run has ended. */
  readonly follow: boolean
}

/** The first value of each parameter in the schema; an empty one counts as missing. */
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
 * Decodes the query of a list of runs.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeRunFilter(query: string): RunFilter {
  const { output, id: webhook_id, ...given } = decode(filterSchema, query)
  const filter = Object.entries({ webhook_id, ...given }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(filter), output: output === '1' }
}

/**
 * Decodes the query for a run.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeRunQuery(query: string): GetRunOptions {
  return { output: decode(runSchema, query).output === '1' }
}

/**
 * Decodes the query for the output of a run.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeOutputQuery(query: string): OutputQuery {
  const { stream, follow } = decode(outputSchema, query)
  return { streams: stream === 'both' ? ['stdout', 'stderr'] : [stream], follow: follow === '1' }
}

/**
 * Decodes the query for refused deliveries.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeRefusalsQuery(query: string): { readonly webhook_id: string } {
  return { webhook_id: decode(refusalsSchema, query).id }
}

/**
 * Decodes the query for changes of runs. The header of a client that connects again counts more than the parameter, which stays the
 * same.
 */
export function decodeRunChangesQuery(
  query: string,
  position: string | null,
): { readonly webhook_id: string | undefined; readonly since: string | undefined } {
  const { id: webhook_id, since } = decode(changesSchema, query)
  return { webhook_id, since: position || since }
}
