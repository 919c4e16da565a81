import * as z from 'zod/mini'
import { refuseOtherKeys } from '../../input/decode.ts'
import { Refusal, refuse, refuseShown } from '../../input/refusal.ts'

/**
 * Decodes the JSON body of a request by the schema that documents it. Members of the body that the schema does not name are refused,
 * so that a misspelled one is not silently ignored. The body is returned as it was given: defaults belong to the operation.
 *
 * @throws {Refusal} with the first member that does not fit.
 */
export function decodeBody<T>(schema: z.core.$ZodType, body: unknown): T {
  const { error } = z.safeParse(schema, body, { reportInput: true })
  const [issue] = error?.issues ?? []
  if (issue !== undefined) throw refusalOf(issue)
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type === 'object') refuseOtherKeys(body, def.shape)
  // The schema has accepted it, and the type is written from the schema.
  return body as T
}

/** What schemas expect, in the words of `input/decode.ts`. */
const expectations: { readonly [type: string]: string } = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of strings',
}

function refusalOf(issue: z.core.$ZodIssue): Refusal {
  try {
    return refuseIssue(issue)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const step of issue.path.toReversed()) {
      error.below(typeof step === 'symbol' ? String(step) : step)
    }
    return error
  }
}

function refuseIssue(issue: z.core.$ZodIssue): never {
  const { input } = issue
  switch (issue.code) {
    case 'invalid_type':
      return refuse(expectations[issue.expected] ?? `a value of type ${issue.expected}`, input)
    case 'invalid_value':
      return refuseShown(issue.values.map((word) => JSON.stringify(word)).join(' or '), input)
    case 'too_small':
      return refuseSize(issue.origin, `at least ${issue.minimum}`, input)
    case 'too_big':
      return refuseSize(issue.origin, `at most ${issue.maximum}`, input)
    default:
      return refuse('a value as the document describes it', input)
  }
}

function refuseSize(origin: string, limit: string, input: unknown): never {
  if (!Array.isArray(input)) return refuseShown(`${expectations[origin]} of ${limit}`, input)
  throw new Refusal(`a list of ${limit}`, `one of ${input.length}`)
}
