import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

/** The part of JSON Schema that the generated schema uses. */
interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

interface ConfigCase {
  readonly name: string
  readonly config: string
  readonly ok?: boolean
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const schema: JsonSchema = JSON.parse(read('../../../schemas/alertmanager.json'))
const casesOf = (name: string): readonly ConfigCase[] =>
  JSON.parse(read(`../../../vectors/alerts/${name}.json`)).cases

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The paths at which a value does not fit a schema. */
function misfits(value: unknown, given: JsonSchema, path = ''): readonly string[] {
  if (given.$ref !== undefined) {
    return misfits(value, schema.$defs?.[given.$ref.replace('#/$defs/', '')] ?? {}, path)
  }
  if (given.anyOf !== undefined) {
    return given.anyOf.some((one) => misfits(value, one, path).length === 0) ? [] : [path]
  }
  if (given.enum !== undefined) return given.enum.includes(value) ? [] : [path]
  const types = [given.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type))
  if (types.length > 0 && !types.includes(typeOf(value))) return [path]
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => misfits(item, given.items ?? {}, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  const missing = (given.required ?? []).filter((key) => !(key in value))
  const inner = Object.entries(value).flatMap(([key, item]) => {
    const more = given.additionalProperties
    const own = given.properties?.[key] ?? (typeof more === 'object' ? more : undefined)
    if (own === undefined) return more === false ? [`${path}.${key}`] : []
    return misfits(item, own, `${path}.${key}`)
  })
  return [...missing.map((key) => `${path}.${key}`), ...inner]
}

/** As Go reads it. */
const read11 = (text: string): unknown => parse(text, { version: '1.1', merge: true })

describe('the JSON Schema of alertmanager.yml', () => {
  it.each(casesOf('config-original').map((one) => [one.name, one.config]))(
    'admits %s',
    (_, text) => {
      expect(misfits(read11(text), schema)).toEqual([])
    },
  )

  it('admits what the decoder accepts', () => {
    const refused = casesOf('config-check')
      .filter(({ ok }) => ok)
      .flatMap(({ name, config }) =>
        misfits(read11(config), schema).map((path) => `${name}: ${path}`),
      )
    expect(refused).toEqual([])
  })

  it('has the keys of Gatehouse', () => {
    const config = `
route: { receiver: team, resolved_after_suppression: true, rate_limit: { notifications: 5, per: 1m } }
receivers: [{ name: team, rate_limit: { notifications: 5, per: 1m }, slack_configs: [{ max_alerts: 5 }] }]
`
    expect(misfits(read11(config), schema)).toEqual([])
  })

  it('refuses unknown keys', () => {
    const config = 'route: { receiver: team, recievers: [] }\nreceivers: [{ name: team }]'
    expect(misfits(read11(config), schema)).toEqual(['.route.recievers'])
  })
})
