import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../storage/storage.ts'
import { fits, type JsonSchema, validateJson } from './json-schema.ts'

/** An option of an `identify` action, as a branch of the schema of its input. */
const option = (identification: string): JsonSchema => ({
  type: 'object',
  required: ['identification', 'login_id'],
  properties: { identification: { const: identification }, login_id: { type: 'string' } },
})

describe('an input', () => {
  it('that matches no option gets the causes for each, outer locations first', () => {
    const schema = { oneOf: [option('email'), option('phone')] }
    const missing = {
      location: '',
      kind: 'required',
      details: {
        actual: ['identification'],
        expected: ['identification', 'login_id'],
        missing: ['login_id'],
      },
    }
    const wrong = (expected: string) => ({
      location: '/identification',
      kind: 'const',
      details: { expected, actual: 'wechat' },
    })
    expect(validateJson(schema, { identification: 'wechat' })).toEqual([
      missing,
      missing,
      wrong('email'),
      wrong('phone'),
    ])
  })

  it('that lacks both of two alternative members gets a cause for each', () => {
    const body: JsonSchema = {
      allOf: [{ type: 'object', required: ['state_token'] }],
      oneOf: [{ required: ['input'] }, { required: ['batch_input'] }],
    }
    const missing = (name: string) => ({
      location: '',
      kind: 'required',
      details: { actual: ['state_token'], expected: [name], missing: [name] },
    })
    expect(validateJson(body, { state_token: 'S1' })).toEqual([
      missing('input'),
      missing('batch_input'),
    ])
    expect(validateJson(body, { state_token: 'S1', input: {}, batch_input: [] })).toEqual([
      { location: '', kind: 'oneOf' },
    ])
  })

  it('without members lists an empty array, not null', () => {
    expect(validateJson({ type: 'object', required: ['b', 'a'] }, {})).toEqual([
      {
        location: '',
        kind: 'required',
        details: { actual: [], expected: ['a', 'b'], missing: ['a', 'b'] },
      },
    ])
  })

  it('may have unknown members with any name', () => {
    const input = JSON.parse('{"identification":"email","login_id":"a","__proto__":1,"x":[]}')
    expect(validateJson(option('email'), input)).toEqual([])
  })

  it('does not inherit members from Object.prototype', () => {
    const schema: JsonSchema = { type: 'object', required: ['toString', 'constructor'] }
    expect(validateJson(schema, {})).toMatchObject([
      { details: { missing: ['constructor', 'toString'] } },
    ])
  })

  it('with very many members gets a limited list of names', () => {
    const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`m${i}`, 0]))
    const [cause] = validateJson({ required: ['code'] }, members)
    const { actual, ...others } = cause?.details ?? {}
    expect((actual as readonly string[]).length).toBeLessThanOrEqual(100)
    expect(others).toEqual({ expected: ['code'], missing: ['code'] })
  })
})

describe('a cause', () => {
  const cases: readonly (readonly [JsonSchema, Json, object])[] = [
    [{ const: true }, false, { kind: 'const', details: { expected: true, actual: false } }],
    [{ const: 0 }, '0', { kind: 'const', details: { expected: 0, actual: '0' } }],
    [{ enum: ['a', 'b'] }, 'c', { kind: 'enum', details: { expected: ['a', 'b'], actual: 'c' } }],
    [{ enum: [] }, 'c', { kind: 'enum', details: { expected: [], actual: 'c' } }],
    [
      { type: 'string' },
      3,
      { kind: 'type', details: { expected: ['string'], actual: ['integer', 'number'] } },
    ],
    [
      { type: 'integer' },
      3.5,
      { kind: 'type', details: { expected: ['integer'], actual: ['number'] } },
    ],
    [
      { type: 'object' },
      [],
      { kind: 'type', details: { expected: ['object'], actual: ['array'] } },
    ],
    [
      { type: 'object' },
      null,
      { kind: 'type', details: { expected: ['object'], actual: ['null'] } },
    ],
    [{ format: 'uri' }, '/path', { kind: 'format', details: { format: 'uri' } }],
    [{ minLength: 2 }, '🦊', { kind: 'minLength', details: { expected: 2, actual: 1 } }],
    [{ maxLength: 2 }, 'a🦊b', { kind: 'maxLength', details: { expected: 2, actual: 3 } }],
    [{ const: 'a' }, 'b'.repeat(10_000), { kind: 'const', details: { expected: 'a' } }],
    [{ enum: ['a'] }, { a: 1 }, { kind: 'enum', details: { expected: ['a'] } }],
    [{ minItems: 1 }, [], { kind: 'minItems', details: { expected: 1, actual: 0 } }],
    [{ maxItems: 1 }, [1, 2], { kind: 'maxItems', details: { expected: 1, actual: 2 } }],
    [{ minimum: 1 }, 0, { kind: 'minimum', details: { minimum: 1, actual: 0 } }],
    [{ maximum: 1 }, 2, { kind: 'maximum', details: { maximum: 1, actual: 2 } }],
    [{ contains: { const: 'a' } }, ['b'], { kind: 'contains', details: { actual: 0, min: 1 } }],
  ]
  it.each(cases)('of %j for %j says %j', (schema, value, cause) => {
    expect(validateJson(schema, value)).toEqual([{ location: '', ...cause }])
  })

  it('has a location with ~ and / escaped as in JSON pointers', () => {
    const schema: JsonSchema = {
      properties: { 'a/b': { properties: { 'c~d': { items: { type: 'string' } } } } },
    }
    const causes = validateJson(schema, { 'a/b': { 'c~d': ['x', 1] } })
    expect(causes.map(({ location }) => location)).toEqual(['/a~1b/c~0d/1'])
  })

  it('of a list that is too long leaves out its elements', () => {
    const schema: JsonSchema = { maxItems: 1, items: { type: 'string' } }
    expect(validateJson(schema, [1, 2, 3]).map(({ kind }) => kind)).toEqual(['maxItems'])
  })

  it('comes from every branch of an anyOf that fails', () => {
    const schema: JsonSchema = { anyOf: [{ required: ['index'] }, { required: ['target'] }] }
    expect(validateJson(schema, {}).map(({ details }) => details?.missing)).toEqual([
      ['index'],
      ['target'],
    ])
    expect(validateJson(schema, { index: 0, target: 'a' })).toEqual([])
  })
})

const plain = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: -2, max: 4 }), fc.boolean())
const names = fc.constantFrom('a', 'b', 'c/d')

const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    plain.map((value): JsonSchema => ({ const: value })),
    fc.array(plain, { maxLength: 3 }).map((values): JsonSchema => ({ enum: values })),
    fc
      .constantFrom('object', 'array', 'string', 'integer', 'number', 'boolean', 'null')
      .map((type): JsonSchema => ({ type }) as JsonSchema),
    fc
      .record({
        required: fc.uniqueArray(names, { maxLength: 2 }),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
      })
      .map((parts): JsonSchema => ({ type: 'object', ...parts })),
    tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
    tie('schema').map((contains): JsonSchema => ({ contains })),
    fc
      .tuple(
        fc.constantFrom('oneOf', 'anyOf', 'allOf'),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      )
      .map(([key, parts]): JsonSchema => ({ [key]: parts })),
  ),
}))
const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    plain,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ) as fc.Arbitrary<Json>,
}))

describe('for any schema and any value', () => {
  it('there are causes if and only if the value does not match', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        expect(validateJson(schema, value).length === 0).toBe(fits(schema, value))
      }),
    )
  })

  it('causes are sorted by location', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const places = validateJson(schema, value).map(({ location }) => location)
        expect(places).toEqual([...places].sort())
      }),
    )
  })

  it('allOf, oneOf and anyOf match as defined', () => {
    const parts = fc.array(schemas, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(parts, values, (some, value) => {
        const fitting = some.filter((schema) => fits(schema, value)).length
        expect(fits({ allOf: some }, value)).toBe(fitting === some.length)
        expect(fits({ anyOf: some }, value)).toBe(fitting > 0)
        expect(fits({ oneOf: some }, value)).toBe(fitting === 1)
      }),
    )
  })

  it('the schema and the value are not changed', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const before = JSON.stringify([schema, value])
        validateJson(schema, value)
        expect(JSON.stringify([schema, value])).toBe(before)
      }),
    )
  })
})
