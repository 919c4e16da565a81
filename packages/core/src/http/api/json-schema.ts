import type * as z from 'zod/mini'
import { aboutSchemas } from '../../document/about.ts'

type Schema = z.core.$ZodType

/** A JSON Schema, as far as it is read again. */
export interface SchemaJson {
  readonly description?: string
  readonly properties?: { readonly [name: string]: SchemaJson }
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** A converter of schemas, which collects those with a name. */
export interface SchemaConverter {
  convert(schema: Schema): SchemaJson
  readonly named: ReadonlyMap<string, SchemaJson>
}

/** Where a document has its named schemas. */
export const inDocument = '#/components/schemas/'

/**
 * Creates a converter to JSON Schema: of requests as they are sent. It knows the kinds of schemas that interfaces use; zod's own
 * converter, which knows all, would be a third of what a small service weighs. Tests compare the two.
 *
 * @param isForBodies whether only the types remain of what is checked later, and names are replaced by what they stand for.
 */
export function createSchemaConverter(isForBodies = false): SchemaConverter {
  const named = new Map<string, SchemaJson>()

  function convert(schema: Schema): SchemaJson {
    const { id, description, keywords, json, later } = aboutSchemas.get(schema) ?? {}
    if (isForBodies && later !== undefined) return later
    const facts = description === undefined ? keywords : { ...keywords, description }
    if (json !== undefined) return { ...json, ...facts }
    if (id === undefined || isForBodies) {
      const { parent } = schema._zod
      const isNamed = parent !== undefined && aboutSchemas.get(parent)?.id !== undefined
      return { ...(isNamed ? convert(parent) : convertBare(schema)), ...facts }
    }
    if (!named.has(id)) {
      // Before its members, which may refer to it.
      named.set(id, {})
      named.set(id, { ...convertBare(schema), ...facts })
    }
    return { $ref: `${inDocument}${id}` }
  }

  function convertBare(schema: Schema): SchemaJson {
    const { def } = (schema as z.core.$ZodTypes)._zod
    const { least, most, pattern, minimum, maximum } = limitsOf(def)
    switch (def.type) {
      case 'object':
        return convertObject(def)
      case 'array':
        return present({
          type: 'array',
          items: convert(def.element),
          minItems: least,
          maxItems: most,
        })
      case 'record':
        return { type: 'object', additionalProperties: convert(def.valueType) }
      case 'union':
        return choice(def.options.map(convert))
      case 'optional':
        return convert(def.innerType)
      case 'nullable':
        return choice([convert(def.innerType), { type: 'null' }])
      case 'default':
        return { ...convert(def.innerType), default: def.defaultValue }
      case 'pipe':
        return convert(def.in)
      case 'enum':
        return { type: 'string', enum: Object.values(def.entries) }
      case 'literal':
        return { type: typeof def.values[0], const: def.values[0] }
      case 'string':
        return present({ type: 'string', minLength: least, maxLength: most, pattern })
      case 'number':
        return present({ type: 'format' in def ? 'integer' : 'number', minimum, maximum })
      case 'boolean':
        return { type: 'boolean' }
      case 'unknown':
        return {}
      default:
        throw new TypeError(`no JSON Schema for ${def.type}`)
    }
  }

  function convertObject({ shape, catchall }: z.core.$ZodObjectDef): SchemaJson {
    const members = Object.entries<Schema>(shape)
    const required = members
      .filter(([, member]) => member._zod.optin === undefined)
      .map(([name]) => name)
    return present({
      type: 'object',
      properties: Object.fromEntries(members.map(([name, member]) => [name, convert(member)])),
      required: required.length === 0 ? undefined : required,
      additionalProperties: catchall && {},
    })
  }

  return { convert, named }
}

interface Limits {
  readonly least?: number
  readonly most?: number
  readonly pattern?: string
  readonly minimum?: unknown
  readonly maximum?: unknown
}

/** What the checks of a schema say. */
function limitsOf({ checks = [] }: z.core.$ZodTypeDef): Limits {
  const limits = checks.map(({ _zod }): Limits => {
    const { def } = _zod as z.core.$ZodChecks['_zod']
    if (def.check === 'min_length') return { least: def.minimum }
    if (def.check === 'max_length') return { most: def.maximum }
    if (def.check === 'greater_than' && def.inclusive) return { minimum: def.value }
    if (def.check === 'less_than' && def.inclusive) return { maximum: def.value }
    if (def.check !== 'string_format' || def.pattern === undefined) return {}
    return { pattern: def.pattern.source }
  })
  return Object.assign({}, ...limits)
}

/** One of several schemas; of types alone, a list of types. */
function choice(options: readonly SchemaJson[]): SchemaJson {
  const isBare = (one: SchemaJson): boolean => Object.keys(one).join() === 'type'
  if (!options.every(isBare)) return { anyOf: options }
  return { type: [...new Set(options.flatMap(({ type }) => type))] }
}

/** Without the absent keywords. */
const present = (schema: { readonly [keyword: string]: unknown }): SchemaJson =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
