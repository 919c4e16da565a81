import * as z from 'zod'
import { wireKey } from '../operators/wire-keys.ts'

const copies = new Map<z.ZodType, z.ZodType>()

/** A schema with the keys of our own API, for one with keys in snake_case. A named schema becomes another one: `User` and its name. */
export function camelCased(schema: z.ZodType): z.ZodType {
  const known = copies.get(schema)
  if (known !== undefined) return known
  const bare = copyOf(schema)
  const { id, ...meta } = schema.meta() ?? {}
  const named = id === undefined ? meta : { ...meta, id: `User${id.replace(/^Account/, '')}` }
  const copy = bare === schema || Object.keys(named).length === 0 ? bare : bare.meta(named)
  copies.set(schema, copy)
  return copy
}

function copyOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return z.object(camelShape(schema.shape))
  if (schema instanceof z.ZodArray) return z.array(camelCased(schema.element as z.ZodType))
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((one) => camelCased(one as z.ZodType)))
  if (schema instanceof z.ZodOptional) return camelCased(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable) return camelCased(schema.unwrap() as z.ZodType).nullable()
  return schema
}

/** The members of an object, with the keys of our own API. */
export const camelShape = (shape: z.ZodRawShape): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [wireKey(name), camelCased(member as z.ZodType)]),
  )
