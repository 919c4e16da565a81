import { decodeInput } from './decode.ts'
import { refuse } from './refusal.ts'

/** Accepts a configuration in any form that a service takes; calls a function. Its values are decoded later. */
export function configSource<Source extends string | object>(given: unknown): Source {
  const value: unknown = typeof given === 'function' ? given() : given
  const isSource = typeof value === 'string' || (typeof value === 'object' && value !== null)
  // More can only be checked when it is decoded.
  return isSource ? (value as Source) : refuse('the text of a configuration or an object', value)
}

/** Whether a configuration is given as a text with its origin. No configuration has a key `text`. */
export function isTextSource<Source extends { readonly text: string }>(
  source: object,
): source is Source {
  const hasText = (value: object): boolean => 'text' in value && typeof value.text === 'string'
  return decodeInput('config', () => hasText(source), source)
}
