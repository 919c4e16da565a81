import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { aboutSchemas, type JsonSchema } from '../../document/about.ts'
import { createSchemaConverter, inDocument } from './json-schema.ts'
import {
  type ApiSchema,
  checkedLater,
  described,
  instant,
  named,
  text,
  withOneOf,
} from './schema.ts'

/** What zod's own converter makes, with our facts. */
function byZod(schema: ApiSchema): { readonly json: unknown; readonly named: unknown } {
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
    metadata: aboutSchemas,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { json, keywords } = aboutSchemas.get(zodSchema) ?? {}
      if (json !== undefined) for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      for (const fact of ['json', 'keywords', 'later']) delete jsonSchema[fact]
      Object.assign(jsonSchema, json, keywords)
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete jsonSchema.propertyNames
      delete jsonSchema.id
    },
  })
  const inPlace = (json: unknown): unknown =>
    JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${inDocument}`))
  return { json: inPlace(properties?.it), named: inPlace($defs) }
}

const half: JsonSchema = { type: 'number', multipleOf: 0.5 }
const halves = z.custom((value) => typeof value === 'number')
aboutSchemas.add(halves, { json: half })

interface Tree {
  readonly name: string
  readonly below: readonly Tree[]
}
const tree: z.ZodMiniType<Tree> = named(
  'Tree',
  'A tree.',
  z.object({
    name: text,
    get below(): z.ZodMiniArray<typeof tree> {
      return z.array(tree)
    },
  }),
)
const word = named('Word', 'A word.', z.enum(['one', 'two']))

describe('a schema in JSON', () => {
  it.each<[string, ApiSchema]>([
    ['a text', text],
    ['a limited text', text.check(z.minLength(1), z.maxLength(9))],
    ['a pattern', text.check(z.regex(/^a+$/))],
    ['a time', instant],
    ['numbers', z.object({ whole: z.int(), any: z.number() })],
    ['limited numbers', z.object({ a: z.number().check(z.minimum(0), z.maximum(9)) })],
    ['members', z.object({ a: text, b: z.optional(text), c: z._default(z.boolean(), true) })],
    ['no members', z.object({})],
    ['any members', z.looseObject({ a: z.unknown() })],
    ['free names', z.record(text, z.int())],
    ['a list', z.array(text).check(z.minLength(1), z.maxLength(3))],
    ['a choice', z.union([text, z.nullable(z.boolean())])],
    ['a constant', z.union([z.literal(true), z.literal('x')])],
    ['a name', word],
    ['a name with words of its own', z.object({ a: described(word, 'The word.'), b: word })],
    ['a name in a name', named('Words', 'Words.', z.array(word))],
    ['a name that refers to itself', tree],
    [
      'one of two members',
      withOneOf(z.object({ a: z.optional(text), b: z.optional(text) }), 'a', 'b'),
    ],
    ['a schema that zod cannot show', z.object({ a: z.optional(halves) })],
  ])('is the one that zod makes: %s', (_, schema) => {
    const { convert, named } = createSchemaConverter()
    const json = convert(schema)
    expect({ json, named: Object.fromEntries(named) }).toEqual(byZod(schema))
  })

  it('has only the type of what is checked later, and no names, for bodies', () => {
    const { convert } = createSchemaConverter(true)
    const later = checkedLater(named('Later', 'Checked later.', z.object({ a: text })), 'object')
    expect(convert(z.object({ later, word: described(word, 'The word.') }))).toEqual({
      type: 'object',
      required: ['later', 'word'],
      properties: {
        later: { type: 'object' },
        word: { type: 'string', enum: ['one', 'two'], description: 'The word.' },
      },
    })
  })

  it('is refused of a kind that no interface uses', () => {
    expect(() => createSchemaConverter().convert(z.date())).toThrow('no JSON Schema for date')
  })
})
