import * as z from 'zod/mini'

/** A schema of an HTTP interface: it decodes a value, documents it, and names its type. */
export type ApiSchema = z.ZodMiniType

/** The members of an object. */
export type ApiShape = Readonly<Record<string, ApiSchema>>

/** Facts about a schema besides what it accepts. */
interface AboutApi {
  /** The name of its type. */
  readonly id?: string
  readonly description?: string
  readonly format?: string
  /** Schemas of which exactly one holds, too. */
  readonly oneOf?: readonly object[]
}

/** The facts about the schemas of our interfaces. An app that uses zod has its own in zod's registry. */
export const aboutApi: z.core.$ZodRegistry<AboutApi> = z.registry<AboutApi>()

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

function annotated<S extends ApiSchema>(schema: S, about: AboutApi): S {
  const copy = schema.clone()
  aboutApi.add(copy, about)
  return copy
}

/** The type of a value that is checked later (default: any). */
type LaterType = 'object' | 'string'

/** The forms that bodies must have where {@link checkedLater} was said. */
export const laterForms: z.core.$ZodRegistry<{ readonly json: { readonly type?: LaterType } }> =
  z.registry()

/**
 * A schema of values that a body may have in another form, too: the operation checks them, because it knows more, such as the kinds of
 * the app. The document has the schema; of a body only the type is decoded.
 */
export function checkedLater<S extends ApiSchema>(schema: S, type?: LaterType): S {
  laterForms.add(schema, { json: type === undefined ? {} : { type } })
  return schema
}

/** An object with exactly one of two of its members. */
export function withOneOf<S extends ApiSchema>(schema: S, ...names: readonly string[]): S {
  return annotated(schema, {
    oneOf: names.map((name) => ({
      type: 'object',
      required: [name],
      properties: { [name]: {} },
    })),
  })
}

/** A text. */
export const text: z.ZodMiniString = z.string()

/** A time as RFC 3339 has it. */
export const instant: z.ZodMiniString = annotated(z.string(), { format: 'date-time' })
