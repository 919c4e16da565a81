import * as z from 'zod/mini'
import type * as core from 'zod/v4/core'
import { aboutSchemas } from '../../document/about.ts'
import { leadingText } from '../body/json-places.ts'
import type { JsonText } from '../body/json-text.ts'
import { type FieldProblem, invalidRequest } from '../errors.ts'
import type { DeliverySample } from '../explain-delivery.ts'

const missingOr =
  (problem: string) =>
  ({ input }: { readonly input: unknown }): string =>
    input === undefined ? 'is missing' : problem

const text = z.string({ error: missingOr('must be a string') })
const filledText = text.check(z.minLength(1, { error: 'must not be empty' }))
// Checked, but neither traversed nor copied, because data may be large.
const data = z.custom((value) => typeof value === 'object' && !Array.isArray(value), {
  error: 'must be an object or null',
})
aboutSchemas.add(data, { json: { type: ['object', 'null'] } })
const notAnObject = { error: 'must be an object' }

const deliverySchema = z.object(
  { id: filledText, token: z.optional(filledText), data: z.optional(data) },
  notAnObject,
)
const hashSchema = z.object({ message: text }, notAnObject)

const trialSchema = z.object(
  {
    id: filledText,
    body: z.optional(text),
    method: z.optional(filledText),
    query: z.optional(text),
    headers: z.optional(z.record(z.string(), text)),
    address: z.optional(filledText),
  },
  notAnObject,
)

/** The schemas of the bodies, for the description of the interface. */
export const requestBodies: {
  readonly delivery: core.$ZodType
  readonly hash: core.$ZodType
  readonly trial: z.ZodMiniType
} = { delivery: deliverySchema, hash: hashSchema, trial: trialSchema }

/** One problem for each field: a value that is not text is not reported as empty, too. */
function problemsOf(error: z.core.$ZodError): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const { path, message } of error.issues) {
    const name = path.join('.')
    if (!problems.has(name)) problems.set(name, { path: name, problem: message })
  }
  return [...problems.values()]
}

/**
 * The webhook and the token in a body.
 *
 * @param mayLackToken whether requests for the webhook with this id may lack a token.
 * @throws {GatehouseError} `invalid_request`, with every problem in `info.fields`.
 */
export function decodeDelivery(
  { value }: JsonText,
  mayLackToken: (id: string) => boolean,
): { readonly id: string; readonly token: string | undefined } {
  const decoded = deliverySchema.safeParse(value)
  const problems = decoded.success ? [] : problemsOf(decoded.error)
  const { id, token } = Object(value) as { readonly id: unknown; readonly token: unknown }
  const isObject = !problems.some(({ path }) => path === '')
  if (isObject && token === undefined && !(typeof id === 'string' && mayLackToken(id))) {
    problems.push({ path: 'token', problem: 'is missing' })
  }
  if (!decoded.success || problems.length > 0) throw invalidRequest(problems)
  return { id: decoded.data.id, token: decoded.data.token }
}

/** The webhook and the token at the beginning of a JSON body that may break off; `undefined` if one is missing. */
export function leadingProof(start: Uint8Array): { id: string; token: string } | undefined {
  const text = new TextDecoder().decode(start)
  const id = leadingText(text, 'id')
  const token = leadingText(text, 'token')
  return id && token ? { id, token } : undefined
}

/**
 * The text to hash.
 *
 * @throws {GatehouseError} `invalid_request`.
 */
export function decodeHashRequest({ value }: JsonText): { readonly message: string } {
  const decoded = hashSchema.safeParse(value)
  if (!decoded.success) throw invalidRequest(problemsOf(decoded.error))
  return decoded.data
}

/**
 * A delivery to test.
 *
 * @throws {GatehouseError} `invalid_request`, with every problem in `info.fields`.
 */
export function decodeTrial({ value }: JsonText): DeliverySample {
  const decoded = trialSchema.safeParse(value)
  if (!decoded.success) throw invalidRequest(problemsOf(decoded.error))
  const { id, body = '', method, query, headers, address } = decoded.data
  return {
    id,
    body,
    ...(method === undefined ? {} : { method }),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(address === undefined ? {} : { address }),
  }
}
