import type { AuthenticationOption } from '../flow/authenticator.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** The schema of the input for an option: it names the option, and has the members that the option needs. */
export function optionSchema(
  { authentication }: AuthenticationOption,
  own: JsonSchema,
  more: { readonly [name: string]: JsonSchema } = {},
): JsonSchema {
  return {
    ...own,
    type: 'object',
    required: ['authentication', ...(own.required ?? [])],
    properties: { authentication: { const: authentication }, ...own.properties, ...more },
  }
}
