import { bodySchema } from '../../http/api/convert.ts'
import type { ApiSchema } from '../../http/api/schema.ts'
import type { Json } from '../../storage/storage.ts'
import { validationFailed } from '../errors.ts'
import { type JsonSchema, validateJson } from './json-schema.ts'

/** Decodes a body. @throws {GatehouseError} `ValidationFailed` */
export type DecodeBody<T> = (body: Json) => Promise<T>

/**
 * The JSON Schema of a body, made from the schema that documents it. Tests hold these schemas to the keywords that
 * `validateJson()` knows.
 */
export const bodyJsonSchema = (schema: ApiSchema): JsonSchema => bodySchema(schema) as JsonSchema

/**
 * A decoder of bodies by the schema that documents them. Unknown members are kept.
 *
 * @param load loads the schema when the first body comes: schemas of interfaces take a tenth of the time that the service loads.
 * @param demanded members that the document says are needed at times, and now are.
 */
export function bodyDecoder<T>(
  load: () => Promise<ApiSchema>,
  demanded: readonly string[] = [],
): DecodeBody<T> {
  let loaded: Promise<JsonSchema> | undefined
  return async (body) => {
    loaded ??= load().then((schema) => withRequired(bodyJsonSchema(schema), demanded))
    const causes = validateJson(await loaded, body)
    if (causes.length > 0) throw validationFailed(causes, 'invalid request body')
    // The value, typed after its validation.
    return body as T
  }
}

const withRequired = (schema: JsonSchema, names: readonly string[]): JsonSchema =>
  names.length === 0 ? schema : { ...schema, required: [...(schema.required ?? []), ...names] }
