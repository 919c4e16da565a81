import * as z from 'zod/mini'
import { type About, aboutSchemas } from '../../document/about.ts'

/** A schema of an HTTP interface: it decodes a value, documents it, and names its type. */
export type ApiSchema = z.ZodMiniType

/** The members of an object. */
export type ApiShape = Readonly<Record<string, ApiSchema>>

/** A copy of a schema with a description. */
export function described<S extends ApiSchema>(schema: S, description: string): S {
  return annotated(schema, { description })
}

/** A copy of a schema that has a name in documents and in types. */
export function named<S extends ApiSchema>(id: string, description: string, schema: S): S {
  return annotated(schema, { id, description })
}

/** An object that has a name in documents and in types. */
export function namedObject<T extends ApiShape>(
  id: string,
  description: string,
  shape: T,
): z.ZodMiniObject<T> {
  return named(id, description, z.object(shape))
}

function annotated<S extends ApiSchema>(schema: S, about: About): S {
  const copy = schema.clone()
  aboutSchemas.add(copy, about)
  return copy
}

/**
 * A schema of values that a body may have in another form, too: the operation checks them, because it knows more, such as the kinds of
 * the app. The document has the schema; of a body only the type is decoded.
 */
export function checkedLater<S extends ApiSchema>(schema: S, type?: 'object' | 'string'): S {
  const later = type === undefined ? {} : { type }
  aboutSchemas.add(schema, { ...aboutSchemas.get(schema), later })
  return schema
}

/** An object with exactly one of two of its members. */
export function withOneOf<S extends ApiSchema>(schema: S, ...names: readonly string[]): S {
  const oneOf = names.map((name) => ({
    type: 'object',
    required: [name],
    properties: { [name]: {} },
  }))
  return annotated(schema, { keywords: { oneOf } })
}

/** A text. */
export const text: z.ZodMiniString = z.string()

/** A time as RFC 3339 has it. */
export const instant: z.ZodMiniString = annotated(z.string(), { keywords: { format: 'date-time' } })
