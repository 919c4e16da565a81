import { bodySchema } from '../../http/api/convert.ts'
import type { ApiSchema } from '../../http/api/schema.ts'
import type { Json } from '../../storage/storage.ts'
import { validationFailed } from '../errors.ts'
import { type JsonSchema, validateJson } from './json-schema.ts'

/**
 * The JSON Schema of a body, made from the schema that documents it. Tests hold these schemas to the keywords that
 * `validateJson()` knows.
 */
export const bodyJsonSchema = (schema: ApiSchema): JsonSchema => bodySchema(schema) as JsonSchema

/**
 * A decoder of bodies by the schema that documents them. Unknown members are kept. It throws `ValidationFailed`.
 *
 * @param demanded members that the document says are needed at times, and now are.
 */
export function bodyDecoder<T>(
  schema: ApiSchema,
  demanded: readonly string[] = [],
): (body: Json) => T {
  let made: JsonSchema | undefined
  return (body) => {
    made ??= withRequired(bodyJsonSchema(schema), demanded)
    const causes = validateJson(made, body)
    if (causes.length > 0) throw validationFailed(causes, 'invalid request body')
    // The value, typed after its validation.
    return body as T
  }
}

const withRequired = (schema: JsonSchema, names: readonly string[]): JsonSchema =>
  names.length === 0 ? schema : { ...schema, required: [...(schema.required ?? []), ...names] }
