import * as z from 'zod/mini'
import { aboutSchemas } from '../../document/about.ts'
import { type ApiSchema, type ApiShape, described, named } from '../../http/api/schema.ts'
import { wireKey } from './wire-key.ts'

const copies = new Map<ApiSchema, ApiSchema>()

/** A schema with the keys of our own API, for one with keys in snake_case. A named schema becomes another one: `User` and its name. */
export function camelCased(schema: ApiSchema): ApiSchema {
  const known = copies.get(schema)
  if (known !== undefined) return known
  const bare = copyOf(schema)
  const { id, description = '' } = aboutSchemas.get(schema) ?? {}
  const copy = bare === schema || description === '' ? bare : withName(id, description, bare)
  copies.set(schema, copy)
  return copy
}

const withName = (id: string | undefined, description: string, schema: ApiSchema): ApiSchema =>
  id === undefined
    ? described(schema, description)
    : named(`User${id.replace(/^Account/, '')}`, description, schema)

function copyOf(schema: ApiSchema): ApiSchema {
  // The parts of a schema of our interfaces are such schemas, too.
  const inner = (part: unknown): ApiSchema => camelCased(part as ApiSchema)
  if (schema instanceof z.ZodMiniObject) return z.object(camelShape(schema.shape as ApiShape))
  if (schema instanceof z.ZodMiniArray) return z.array(inner(schema.def.element))
  if (schema instanceof z.ZodMiniUnion) return z.union(schema.def.options.map(inner))
  if (schema instanceof z.ZodMiniOptional) return z.optional(inner(schema.def.innerType))
  if (schema instanceof z.ZodMiniNullable) return z.nullable(inner(schema.def.innerType))
  return schema
}

/** The members of an object, with the keys of our own API. */
export const camelShape = (shape: ApiShape): ApiShape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [wireKey(name), camelCased(member)]),
  )
