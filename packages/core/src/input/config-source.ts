import type { Decode } from './decode.ts'
import { refuse } from './refusal.ts'

/** A configuration in any of the forms that the service takes. Its values are read where they are decoded. */
export const configSource: Decode<string | object> = (value) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? value
    : refuse('the text of a configuration or an object', value)
