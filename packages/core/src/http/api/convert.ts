import * as z from 'zod/mini'
import { aboutSchemas } from '../../document/schema.ts'
import type { Json } from '../../storage/storage.ts'
import type { ApiAnswer, ApiAnswers, ApiInterface, ApiOperation } from './operation.ts'
import { aboutApi, laterForms } from './schema.ts'

type JsonObject = { readonly [name: string]: Json }

/** The part of an OpenAPI document about one service. */
export interface OpenApiPart {
  /** The operations of each path by method. Paths are relative to the base path of the service. */
  readonly paths: { readonly [path: string]: JsonObject }
  /** Named schemas. */
  readonly schemas: JsonObject
}

type Schema = z.core.$ZodType

/** A JSON Schema, as far as the conversion reads it. */
export interface SchemaJson {
  readonly description?: string
  readonly properties?: { readonly [name: string]: SchemaJson }
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** A service's interface in JSON: its part of the document, and the named schemas of its queries, which the document takes apart. */
export interface ConvertedInterface {
  readonly part: OpenApiPart
  readonly queries: { readonly [name: string]: SchemaJson }
}

/** Converts the operations of a service and their schemas. */
export function convertInterface({
  tag,
  operations,
  events = [],
}: ApiInterface): ConvertedInterface {
  const { of, named } = convertSchemas([...events, ...operations.flatMap(schemasOf)])
  const queries: { [name: string]: SchemaJson } = {}
  const parametersIn = (place: string, schema: Schema | undefined): readonly Json[] => {
    if (schema === undefined) return []
    const id = aboutApi.get(schema)?.id
    const { properties = {}, required = [] } = (id === undefined ? of(schema) : named.get(id)) ?? {}
    if (id !== undefined) queries[id] = named.get(id) ?? {}
    return Object.entries(properties).map(([name, { description, ...rest }]) =>
      compact({
        name,
        in: place,
        required: required.includes(name) ? true : undefined,
        description,
        schema: compact(rest),
      }),
    )
  }
  const content = (schema: Schema): JsonObject => ({
    'application/json': { schema: compact(of(schema)) },
  })
  const responseJson = ({ description, schema, types = [] }: ApiAnswer): JsonObject => {
    const all = {
      ...(schema === undefined ? {} : content(schema)),
      ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
    }
    return Object.keys(all).length === 0 ? { description } : { description, content: all }
  }
  const operationJson = (operation: ApiOperation): JsonObject => {
    const { path, id, summary, query, headers, body, answers } = operation
    const inPath = [...path.matchAll(pathPattern)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const parameters = [
      ...inPath,
      ...parametersIn('query', query),
      ...parametersIn('header', headers),
    ]
    return compact({
      operationId: id,
      summary,
      tags: [tag],
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: body && { content: content(body) },
      responses: Object.fromEntries(
        answersOf(answers).map(([status, answer]) => [status, responseJson(answer)]),
      ),
    })
  }
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of operations) {
    const place = operation.path.replace(pathPattern, '{$1}')
    const method = operation.method.toLowerCase()
    paths[place] = { ...paths[place], [method]: operationJson(operation) }
  }
  const shown = [...named].filter(([name]) => queries[name] === undefined)
  const schemas = compact(Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1))))
  return { part: { paths, schemas }, queries }
}

const pathPattern = /:(\w+)/g

/** The answers by status. */
const answersOf = (answers: ApiAnswers): readonly (readonly [string, ApiAnswer])[] =>
  Object.entries(answers)

const schemasOf = ({ query, headers, body, answers }: ApiOperation): readonly Schema[] =>
  [query, headers, body, ...answersOf(answers).map(([, { schema }]) => schema)].filter(
    (schema) => schema !== undefined,
  )

interface ConvertedSchemas {
  of(schema: Schema): SchemaJson
  /** The schemas with a name, by it. */
  readonly named: ReadonlyMap<string, SchemaJson>
}

/**
 * Converts schemas together, which visits each part of them once.
 *
 * @param isForBodies whether only the types remain of what is checked later.
 */
function convertSchemas(schemas: readonly Schema[], isForBodies = false): ConvertedSchemas {
  const keys = new Map([...new Set(schemas)].map((schema, index) => [schema, `schema${index}`]))
  // As members, because a schema at the root would not be a reference to its own name.
  const whole = z.object(Object.fromEntries([...keys].map(([schema, key]) => [key, schema])))
  const { properties = {}, $defs = {} } = z.toJSONSchema(whole, {
    metadata: aboutApi,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const later = isForBodies ? laterForms.get(zodSchema)?.json : undefined
      const { json = later, description } = aboutSchemas.get(zodSchema) ?? {}
      if (json !== undefined) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
        Object.assign(jsonSchema, json)
      }
      if (description !== undefined) jsonSchema.description = description
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete jsonSchema.propertyNames
      delete jsonSchema.id
    },
  })
  return {
    of: (schema) => inDocument(properties[keys.get(schema) ?? '']),
    named: new Map(Object.entries($defs).map(([name, json]) => [name, inDocument(json)])),
  }
}

/** The JSON Schema that a body is decoded by, without references: the document's, and only the types of what is checked later. */
export function bodySchema(schema: Schema): SchemaJson {
  const { of, named } = convertSchemas([schema], true)
  const inPlace = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(inPlace)
    if (typeof json !== 'object' || json === null) return json
    const { $ref, ...rest } = json as SchemaJson
    const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, inPlace(one)]))
    if (typeof $ref !== 'string') return own
    const target = inPlace(named.get($ref.slice($ref.lastIndexOf('/') + 1)))
    return { ...(target as object), ...own }
  }
  // An object again.
  return inPlace(of(schema)) as SchemaJson
}

/** Refers to the named schemas of the document. */
const inDocument = (json: unknown): SchemaJson =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'))

/** The object without its absent members. */
const compact = (object: { readonly [name: string]: unknown }): JsonObject =>
  JSON.parse(JSON.stringify(object))
