import { refuse } from './refusal.ts'

/** A configuration in any of the forms that a service takes. Its values are read where they are decoded. */
export function configSource<Source extends string | object>(value: unknown): Source {
  const isSource = typeof value === 'string' || (typeof value === 'object' && value !== null)
  // Nothing more can be told of it before it is read.
  return isSource ? (value as Source) : refuse('the text of a configuration or an object', value)
}
