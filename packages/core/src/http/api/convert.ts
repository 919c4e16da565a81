import type * as z from 'zod/v4/core'
import { aboutSchemas } from '../../document/about.ts'
import type { Json } from '../../storage/storage.ts'
import { createSchemaConverter, type SchemaJson } from './json-schema.ts'
import type { ApiAnswer, ApiAnswers, ApiInterface, ApiOperation } from './operation.ts'
import { splitPlace } from './place.ts'

type JsonObject = { readonly [name: string]: Json }

/** The part of an OpenAPI document about one service. */
export interface OpenApiPart {
  /** The operations of each path by method. Paths are relative to the base path of the service. */
  readonly paths: { readonly [path: string]: JsonObject }
  /** Named schemas. */
  readonly schemas: JsonObject
}

type Schema = z.$ZodType

/** A service's interface in JSON: its part of the document, and the named schemas of its queries, which the document takes apart. */
export interface ConvertedInterface {
  readonly part: OpenApiPart
  readonly queries: { readonly [name: string]: SchemaJson }
}

/** Converts the operations of a service and their schemas. */
export function convertInterface<Id extends string>({
  tag,
  places,
  operations,
  events = [],
}: ApiInterface<Id>): ConvertedInterface {
  const { convert, named } = createSchemaConverter()
  events.forEach(convert)
  const queries: { [name: string]: SchemaJson } = {}
  const parametersIn = (place: string, schema: Schema | undefined): readonly Json[] => {
    if (schema === undefined) return []
    const id = aboutSchemas.get(schema)?.id
    const json = convert(schema)
    const { properties = {}, required = [] } = (id === undefined ? json : named.get(id)) ?? {}
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
    'application/json': { schema: compact(convert(schema)) },
  })
  const responseJson = ({ description, schema, types = [] }: ApiAnswer): JsonObject => {
    const all = {
      ...(schema === undefined ? {} : content(schema)),
      ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
    }
    return Object.keys(all).length === 0 ? { description } : { description, content: all }
  }
  const operationJson = (id: Id, path: string): JsonObject => {
    const { summary, query, headers, body, answers }: ApiOperation = operations[id]
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
  for (const id of Object.keys(places) as Id[]) {
    const { method, path } = splitPlace(places[id])
    const shown = path.replace(pathPattern, '{$1}')
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: operationJson(id, path) }
  }
  const shown = [...named].filter(([name]) => queries[name] === undefined)
  const schemas = compact(Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1))))
  return { part: { paths, schemas }, queries }
}

const pathPattern = /:(\w+)/g

/** The answers by status. */
const answersOf = (answers: ApiAnswers): readonly (readonly [string, ApiAnswer])[] =>
  Object.entries(answers)

/** The JSON Schema that a body is decoded by: the document's, and only the types of what is checked later. */
export const bodySchema = (schema: Schema): SchemaJson =>
  createSchemaConverter(true).convert(schema)

/** The object without its absent members. */
const compact = (object: { readonly [name: string]: unknown }): JsonObject =>
  JSON.parse(JSON.stringify(object))
