// A page for each service with its requests, answers and schemas, from the OpenAPI document that the service itself serves.
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadSource } from '../load-source.mjs'

/** Inner objects without a name are listed with their owner up to this depth. */
const maxNested = 3

/**
 * Writes the pages to `http/`, and the document to `public/openapi.json`.
 *
 * @param {string} folder of the site
 * @returns {Promise<{ title: string, page: string }[]>}
 */
export async function writeHttpReference(folder) {
  const { openApiRoutes, services } = await loadSource('scripts/site/http-source.ts')
  mkdirSync(`${folder}http`, { recursive: true })
  mkdirSync(`${folder}public`, { recursive: true })
  const described = services.map(({ description }) => ({
    openApi: { basePath: () => '', load: async () => description },
  }))
  const { body } = await openApiRoutes(described)[0].answer(undefined, { mountPath: '' })
  writeFileSync(`${folder}public/openapi.json`, body)
  return services.map(({ page, title, description }) => {
    writeFileSync(`${folder}http/${page}.md`, pageOf(title, description))
    return { title, page: `http/${page}.md` }
  })
}

function pageOf(title, { paths, schemas }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
  return [
    `# HTTP: ${title}`,
    'Paths are relative to where the service is mounted. A server has this page as OpenAPI 3.1 at `/openapi.json`.',
    '## Requests',
    table(
      ['request', 'meaning'],
      operations.map(({ name, summary }) => [
        `[\`${name}\`](#${anchorOf(name)})`,
        inTable(summary ?? ''),
      ]),
    ),
    ...operations.flatMap(operationLines),
    '## Schemas',
    ...Object.entries(schemas).flatMap(([name, schema]) => [`### ${name}`, ...shapeOf(schema)]),
    '',
  ].join('\n\n')
}

function operationLines({ name, summary, parameters = [], requestBody, responses }) {
  const given = parameters.map(({ name, in: place, required, schema, description }) => [
    `\`${name}\``,
    place,
    typeOf(schema) + (required ? ', needed' : ''),
    inTable(meaningOf({ ...schema, description })),
  ])
  return [
    `### \`${name}\` {#${anchorOf(name)}}`,
    inTable(summary ?? ''),
    ...(given.length === 0 ? [] : [table(['parameter', 'in', 'type', 'meaning'], given)]),
    ...(requestBody === undefined ? [] : bodyLines('Body', requestBody)),
    ...Object.entries(responses).flatMap(([status, response]) =>
      bodyLines(status === 'default' ? 'Otherwise' : `**${status}**`, response),
    ),
  ]
}

/** What a request or an answer has as its body. */
function bodyLines(what, { description = '', content = {} }) {
  const about = description === '' ? '' : ` ${inTable(description)}`
  const bodies = Object.entries(content)
  if (bodies.length === 0) return [`${what}:${about} No body.`]
  return bodies.flatMap(([type, { schema }]) => {
    const shown = schema === undefined ? '' : `: ${typeOf(schema)}`
    return [`${what}:${about} \`${type}\`${shown}`, ...membersOf(schema)]
  })
}

/** A named schema: its members, or its type. */
function shapeOf(schema) {
  const about = schema.description === undefined ? [] : [inTable(schema.description)]
  const members = membersOf(schema)
  return [...about, ...(members.length === 0 ? [`Type: ${typeOf(schema)}`] : members)]
}

function membersOf(schema) {
  const rows = rowsOf(schema, '', 0)
  return rows.length === 0 ? [] : [table(['member', 'type', 'meaning'], rows)]
}

function rowsOf(schema, path, depth) {
  const { properties = {}, required = [] } = objectOf(schema)
  return Object.entries(properties).flatMap(([name, member]) => [
    [
      `\`${path}${name}\``,
      typeOf(member) + (required.includes(name) ? '' : ', optional'),
      inTable(meaningOf(member)),
    ],
    ...(depth < maxNested ? rowsOf(member, `${path}${name}.`, depth + 1) : []),
  ])
}

/** The object without a name that a schema is, or is a list of. */
const objectOf = (schema = {}) => (schema.type === 'array' ? objectOf(schema.items) : schema)

function meaningOf({ description = '', default: fallback, minimum, maximum, pattern }) {
  const limits = [
    fallback === undefined ? '' : `Default: \`${JSON.stringify(fallback)}\`.`,
    minimum === undefined ? '' : `At least ${minimum}.`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `At most ${maximum}.`,
    pattern === undefined || pattern.length > 60 ? '' : `Pattern: \`${pattern}\`.`,
  ]
  return [description, ...limits].filter(Boolean).join(' ')
}

/** A type in words, with links to named schemas. */
function typeOf(schema = {}) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined)
    return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' and ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  const values = schema.additionalProperties
  if (schema.type === 'object' && schema.properties === undefined && isSchema(values))
    return `map of ${typeOf(values)}`
  const format = schema.format === undefined ? '' : ` (${schema.format})`
  return `${schema.type ?? 'anything'}${format}`
}

const isSchema = (value) => typeof value === 'object' && Object.keys(value).length > 0

const anchorOf = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Text in a cell, outside of code without the marks of HTML and of Vue. */
const inTable = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : escaped(part)))
    .join('')
const escaped = (text) =>
  text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;').replaceAll('\n', ' ')

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** A table without the columns that are empty. */
function table(titles, rows) {
  const isShown = (_, column) => rows.some((cells) => cells[column] !== '')
  const shown = [titles, ...rows].map((cells) => cells.filter(isShown))
  const [head, ...lines] = shown.map(row)
  return [head, `|${'---|'.repeat(shown[0].length)}`, ...lines].join('\n')
}
