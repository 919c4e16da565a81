// From the operations of a service and their schemas to its part of the OpenAPI document, and to the types of clients.

const inDocument = '#/components/schemas/'

/** Converts schemas; collects the named ones. */
function createConverter({ toJSONSchema, aboutSchemas, object }) {
  const named = {}
  const convert = (schema) => {
    // As a member, because a schema at the root would not be a reference to its own name.
    const { properties, $defs = {} } = toJSONSchema(object({ it: schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { json, description } = aboutSchemas.get(zodSchema) ?? {}
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
    for (const [name, json] of Object.entries($defs)) named[name] = inPlace(json)
    return inPlace(properties.it)
  }
  return { convert, named }
}

/** Refers to the named schemas of the document. */
const inPlace = (json) => JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${inDocument}`))

const pathPattern = /:(\w+)/g

/** The part of the document about a service: its paths, below its base path, and its named schemas. */
export function openApiPart({ tag, operations, more = [] }, zod) {
  const { convert, named } = createConverter(zod)
  more.forEach(convert)
  const paths = {}
  const queries = {}
  const parametersIn = (place, schema) => {
    if (schema === undefined) return []
    const id = zod.globalRegistry.get(schema)?.id
    const json = convert(schema)
    const { properties, required = [] } = id === undefined ? json : named[id]
    if (id !== undefined) {
      queries[id] = named[id]
      delete named[id]
    }
    return Object.entries(properties).map(([name, { description, ...rest }]) => ({
      name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }))
  }
  for (const operation of operations) {
    const { method, path, id, summary, query, headers, body, answers } = operation
    const parameters = [
      ...[...path.matchAll(pathPattern)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...parametersIn('query', query),
      ...parametersIn('header', headers),
    ]
    const content = (schema) => ({ 'application/json': { schema: convert(schema) } })
    const responses = Object.entries(answers).map(([status, answer]) => {
      const { description, schema, types = [] } = answer
      const all = {
        ...(schema === undefined ? {} : content(schema)),
        ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
      }
      const isEmpty = Object.keys(all).length === 0
      return [status, isEmpty ? { description } : { description, content: all }]
    })
    const place = path.replace(pathPattern, '{$1}')
    paths[place] ??= {}
    paths[place][method.toLowerCase()] = {
      operationId: id,
      summary,
      tags: [tag],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: { content: content(body) } }),
      responses: Object.fromEntries(responses),
    }
  }
  return { part: { paths, schemas: sorted(named) }, queries }
}

const sorted = (object) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The named schemas that some of them refer to, and these. */
export function reachedFrom(names, schemas) {
  const reached = new Set()
  const visit = (name) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(
      /#\/components\/schemas\/(\w+)/g,
    ))
      visit(other)
  }
  names.forEach(visit)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)))
}
