// `npm run generate [-- --check]`: writes the files that follow from schemas. From those of our own documents: the JSON Schemas for
// editors, which the packages ship, the types for programs that write documents, and the reference tables of the documentation, which
// also list options, routes, metrics, flags and entries. From those of the HTTP interfaces: the types of requests and answers. With
// --check it writes nothing, and fails if a file is not current. It also checks the commands that the documentation shows.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { alertmanagerSchema } from './alertmanager-schema.mjs'
import { unknownCalls } from './doc-commands.mjs'
import { documents as pages } from './doc-links.mjs'
import { withCodeTables } from './doc-tables.mjs'
import { loadSource } from './load-source.mjs'
import { root } from './run.mjs'

const isCheck = process.argv.includes('--check')

const loaded = await loadSource('scripts/documents.ts')
const { documents, aboutSchemas, interfaces, convertInterface, createSchemaConverter } = loaded

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON Schema of a document. zod's own converter does not read our custom schemas. */
function jsonSchemaOf(root, title) {
  const $defs = {}
  const convert = (schema) => {
    const { title } = aboutSchemas.get(schema) ?? {}
    if (title === undefined) return convertBare(schema)
    if ($defs[title] === undefined) {
      $defs[title] = {}
      Object.assign($defs[title], convertBare(schema))
    }
    return { $ref: `#/$defs/${title}` }
  }
  const convertBare = (schema) => {
    const { def } = schema._zod
    const { json, values, choices } = aboutSchemas.get(schema) ?? {}
    if (values !== undefined) return { type: 'object', additionalProperties: convert(values) }
    if (choices !== undefined) {
      const given = choices.map(convert)
      return given.length === 1 ? given[0] : { anyOf: given }
    }
    switch (def.type) {
      case 'object': {
        const fields = Object.entries(def.shape)
        const required = fields.filter(([, field]) => isRequired(field)).map(([key]) => key)
        return {
          type: 'object',
          additionalProperties: false,
          ...(required.length === 0 ? {} : { required }),
          properties: Object.fromEntries(fields.map(([key, field]) => [key, property(field)])),
        }
      }
      case 'array': {
        const isFilled = def.checks?.some(({ _zod }) => _zod.def.check === 'min_length')
        return { type: 'array', ...(isFilled ? { minItems: 1 } : {}), items: convert(def.element) }
      }
      case 'optional':
      case 'prefault':
        return convert(def.innerType)
      case 'pipe':
        return convert(def.in)
      case 'lazy':
        return convert(def.getter())
      case 'enum':
        return { enum: Object.values(def.entries) }
      case 'custom':
        return { ...json }
      default:
        return { type: def.type }
    }
  }
  const isRequired = ({ _zod: { def } }) => def.type !== 'optional' && def.type !== 'prefault'
  const property = (field) => {
    const { description, json } = aboutSchemas.get(field) ?? {}
    const { def } = field._zod
    const written = def.type === 'prefault' ? def.defaultValue : json?.default
    const isShown = written !== undefined && !(isPlain(written) && !Object.keys(written).length)
    return {
      ...(description === undefined ? {} : { description }),
      ...convert(field),
      ...(isShown ? { default: written } : {}),
    }
  }
  const { $ref, ...bare } = convert(root)
  const own = $ref === undefined ? bare : $defs[$ref.slice('#/$defs/'.length)]
  if ($ref !== undefined) delete $defs[$ref.slice('#/$defs/'.length)]
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...own, $defs }
}

const typeNames = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** A TypeScript type. */
function typeOf(json) {
  if (json.$ref !== undefined) return json.$ref.slice(json.$ref.lastIndexOf('/') + 1)
  if (json.const !== undefined) return quoted(json.const)
  if (json.enum !== undefined) return union(json.enum.map((word) => quoted(word)))
  if (json.anyOf !== undefined) return union(json.anyOf.map(typeOf))
  if (Array.isArray(json.type)) return union(json.type.map((type) => typeOf({ ...json, type })))
  if (json.type === 'array') {
    const item = typeOf(json.items)
    return `readonly ${/[|&]|^readonly /.test(item) ? `(${item})` : item}[]`
  }
  if (json.type !== 'object') return typeNames[json.type] ?? 'unknown'
  if (json.properties === undefined) {
    return `Readonly<Record<string, ${typeOf(json.additionalProperties ?? {})}>>`
  }
  if (Object.keys(json.properties).length === 0) {
    return `Readonly<Record<string, ${json.additionalProperties ? 'unknown' : 'never'}>>`
  }
  const more = json.additionalProperties ? ' & Readonly<Record<string, unknown>>' : ''
  return `{ ${membersOf(json).join(' ')} }${more}`
}

/** `true | false` becomes `boolean`. */
const union = (types) => [...new Set(types)].join(' | ').replace('true | false', 'boolean')
const quoted = (value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

function membersOf({ properties, required = [] }) {
  return Object.entries(properties).map(([key, json]) => {
    const shown = shownDefault(json)
    const text = [json.description, shown && `Default: ${shown}.`].filter(Boolean).join(' ')
    const comment = text === '' ? '' : `/** ${text} */\n`
    const name = /^\w+$/.test(key) ? key : quoted(key)
    return `${comment}readonly ${name}${required.includes(key) ? '' : '?'}: ${typeOf(json)}\n`
  })
}

/** The default of a key as code; empty values are not shown. */
function shownDefault(json) {
  const value = json.default
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return ''
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/** The types of a document, for programs that write one. */
function typesOf({ $defs, ...root }, { exported, about }) {
  const all = Object.entries({ ...$defs, [root.title]: root })
  const objects = all.filter(([, json]) => json.properties !== undefined)
  const others = all.filter(([, json]) => json.properties === undefined)
  const lines = ['// Written by `npm run generate`; the schemas are where to change it.']
  for (const [name, json] of others) lines.push(`type ${name} = ${typeOf(json)}`)
  for (const [name, json] of objects) {
    const [base] = objects.find(([other, part]) => other !== name && includes(json, part)) ?? []
    const own = base === undefined ? json : without(json, $defs[base])
    if (name === root.title) lines.push(`/** ${about} */`)
    const start = `${exported.includes(name) ? 'export ' : ''}interface ${name}`
    const heritage = base === undefined ? '' : ` extends ${base}`
    lines.push(`${start}${heritage} {\n${membersOf(own).join('')}}`)
  }
  return `${lines.join('\n\n')}\n`
}

/** Whether an object contains all keys of another, which must have more than ten. */
const includes = (json, { properties }) =>
  Object.keys(properties).length > 10 &&
  Object.entries(properties).every(
    ([key, one]) => JSON.stringify(json.properties[key]) === JSON.stringify(one),
  )

const without = (json, { properties }) => ({
  ...json,
  properties: Object.fromEntries(
    Object.entries(json.properties).filter(([key]) => properties[key] === undefined),
  ),
})

/** Objects with more keys than this get a table of their own. */
const maxNested = 5

/** The rows of an object, and of its inner objects without a name, or small and without a table. */
function rowsOf({ properties, required = [] }, { $defs, tables }, path = '') {
  return Object.entries(properties).flatMap(([key, json]) => {
    const [, meaning = '', inText = ''] =
      /^(.*?)(?: Default: (.*)\.)?$/s.exec(json.description ?? '') ?? []
    const fallback = required.includes(key) ? 'needed' : shownDefault(json) || inText
    const cells = [`\`${path}${key}\``, meaning, fallback]
    const name = json.$ref?.slice('#/$defs/'.length)
    const nested = name === undefined ? (json.items ?? json) : tables.has(name) ? {} : $defs[name]
    const isShown =
      nested.properties &&
      (name === undefined || Object.keys(nested.properties).length <= maxNested)
    const inner = `${path}${key}${nested === json.items ? '[]' : ''}.`
    const rows = isShown ? rowsOf(nested, { $defs, tables }, inner) : []
    return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`, ...rows]
  })
}

const marked = /(<!-- keys of (\w+)(?: (\w+))?(?: without (\w+))? -->\n).*?(<!-- end of keys -->)/gs

/** A document with the tables between its markers replaced. */
function withTables(text, schemas) {
  const tables = new Set([...text.matchAll(marked)].map(([, , , part]) => part))
  return text.replace(marked, (_, start, name, part, other, end) => {
    const { $defs = {}, ...root } = schemas.get(name) ?? {}
    const json = part === undefined ? root : $defs[part]
    if (json?.properties === undefined) throw new Error(`no keys of ${name} ${part ?? ''}`)
    const rows = [
      '| key | meaning | default |',
      '|---|---|---|',
      ...rowsOf(other === undefined ? json : without(json, schemas.get(other)), { $defs, tables }),
    ]
    return `${start}\n${rows.join('\n')}\n\n${end}`
  })
}

/** Files that were not current. */
const changed = []

function write(path, text) {
  const file = `${root}${path}`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  changed.push(path)
  if (isCheck) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Formats a file as Biome does. */
function formatted(path, text) {
  const tool = `${root}node_modules/@biomejs/biome/bin/biome`
  return execFileSync(process.execPath, [tool, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
}

/** What each operation of an interface takes and answers, by its method and path. */
function callTypes({ places, operations }) {
  const { convert, named } = createSchemaConverter()
  return Object.entries(places).map(([id, place]) => {
    const { query, body, answers } = operations[id]
    const names = [...place.matchAll(/:(\w+)/g)].map(([, name]) => `readonly ${name}: string`)
    const ofQuery = query && convert(query)
    const { required = [] } = named.get(ofQuery && typeOf(ofQuery)) ?? ofQuery ?? {}
    const request = [
      names.length > 0 && `readonly path: { ${names.join('; ')} }`,
      query && `readonly query${required.length > 0 ? ': ' : '?: undefined | '}${typeOf(ofQuery)}`,
      body && `readonly body: ${typeOf(convert(body))}`,
    ].filter(Boolean)
    const members = [
      request.length > 0 && `readonly request: { ${request.join('; ')} }`,
      `readonly answer: ${answerType(answers, convert)}`,
    ].filter(Boolean)
    return `readonly '${place}': { ${members.join('; ')} }`
  })
}

/** The type of a good answer; a stream has none. */
function answerType(answers, convert) {
  const good = Object.entries(answers).filter(([status]) => /^2/.test(status))
  const types = good.flatMap(([, { schema, types = [] }]) => [
    ...(schema === undefined ? [] : [typeOf(convert(schema))]),
    ...(types.includes('text/plain') ? ['string'] : []),
  ])
  return types.length === 0 ? 'undefined' : union(types)
}

/** The types of named schemas of an interface, and that of its calls, each exported. */
function interfaceTypes(name, api) {
  const { part, queries } = convertInterface(api)
  const schemas = { ...part.schemas, ...queries }
  const types = Object.entries(schemas).map(([name, json]) => {
    const isInterface =
      json.properties !== undefined &&
      !json.additionalProperties &&
      Object.keys(json.properties).length > 0
    const type = isInterface
      ? `interface ${name} {\n${membersOf(json).join('')}}`
      : `type ${name} = ${typeOf(json)}`
    return `/** ${json.description} */\nexport ${type}`
  })
  const origin = '// Written by `npm run generate`; the schemas in `api/` are where to change it.'
  const calls = `/** What each operation takes and answers, by its method and path. */\nexport interface ${name} { ${callTypes(api).join('\n')} }`
  return `${[origin, ...types, calls].join('\n\n')}\n`
}

for (const [service, api] of Object.entries(interfaces)) {
  const path = `packages/core/src/${service}/wire/types.generated.ts`
  const name = `${service[0].toUpperCase()}${service.slice(1)}Calls`
  write(path, formatted(path, interfaceTypes(name, api)))
}

const schemas = new Map()
for (const { title, schema, files = [], types } of documents) {
  const json = jsonSchemaOf(schema, title)
  schemas.set(title, json)
  for (const path of files) write(path, formatted(path, JSON.stringify(json)))
  if (types !== undefined) {
    write(types.path, formatted(types.path, typesOf(json, types)))
  }
}
// The command ships a copy, which its build makes.
const alertmanager = 'packages/core/schemas/alertmanager.json'
const alertmanagerJson = JSON.stringify(alertmanagerSchema('AlertmanagerConfig'))
write(alertmanager, formatted(alertmanager, alertmanagerJson))
const unknown = []
for (const path of pages()) {
  const text = readFileSync(`${root}${path}`, 'utf8')
  unknown.push(...unknownCalls(path, text, loaded.loadedCommands))
  write(path, withCodeTables(withTables(text, schemas), { ...loaded, document: path }))
}
for (const problem of unknown) console.error(problem)
if (unknown.length > 0) process.exitCode = 1
for (const path of changed) console.log(isCheck ? `${path} is not current` : `${path} written`)
if (isCheck && changed.length > 0) {
  console.log('run: npm run generate')
  process.exitCode = 1
}
