import { decodeInput } from './decode.ts'
import { refuse } from './refusal.ts'

/** A configuration in any of the forms that a service takes. Its values are read where they are decoded. */
export function configSource<Source extends string | object>(value: unknown): Source {
  const isSource = typeof value === 'string' || (typeof value === 'object' && value !== null)
  // Nothing more can be told of it before it is read.
  return isSource ? (value as Source) : refuse('the text of a configuration or an object', value)
}

/** Whether a configuration is given as a text with where it came from. No configuration has a key `text`. */
export function isTextSource<Source extends { readonly text: string }>(
  source: object,
): source is Source {
  const hasText = (value: object): boolean => 'text' in value && typeof value.text === 'string'
  return decodeInput('config', () => hasText(source), source)
}
