import type { AuthenticationOption } from '../flow/authenticator.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** What an input for an option must be like: that it names the option, and what the option itself demands. */
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
