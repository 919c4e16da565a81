import type { Json } from '@gatehouse/core'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import {
  describeWithPostgres,
  sharedPostgres,
} from '../../../test-support/postgres/use-postgres.ts'
import { fromJsonText, toJsonText } from './json-text.ts'

/** Values that both functions must distinguish, and their parts. */
const tricky = [
  ...['\0', '\ud800', '\udbff', '\udc00', '\udfff', '\ud83d\ude00', '\ufdd0'],
  ...['\ufdd00', '\ufdd0d800', '\ufdd0\ufdd0', '\\', '\\\\', '\\u0000', '\\ud800', '\\\\u0000'],
  ...['"', 'u0000', '0', 'd800', 'd', '\n', '\u2028', 'é'],
]

const texts = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...tricky) },
      { weight: 1, arbitrary: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    fc.constantFrom(null, true, 0, -1.5, 1e21),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
}))

describe('toJsonText', () => {
  it.each(tricky)('writes %j reversibly', (text) => {
    expect(fromJsonText(toJsonText(text))).toBe(text)
    expect(fromJsonText(toJsonText({ [text]: [text] }))).toEqual({ [text]: [text] })
  })

  it('is reversed by fromJsonText()', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = toJsonText(value)
        expect(JSON.stringify(fromJsonText(text))).toBe(JSON.stringify(value))
      }),
      { numRuns: runsOf(300) },
    )
  })

  it('writes different values differently', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(toJsonText(one) === toJsonText(other)).toBe(one === other)
      }),
      { numRuns: runsOf(300) },
    )
  })

  it('leaves unchanged what PostgreSQL accepts', () => {
    const value = { text: 'C:\\users\\u0000', smile: '\ud83d\ude00', line: '\u0001\n', n: 1e-7 }
    expect(toJsonText(value)).toBe(JSON.stringify(value))
  })

  it('writes a NUL and half a surrogate pair after U+FDD0', () => {
    expect(toJsonText('a\0b')).toBe('"a\ufdd00b"')
    expect(toJsonText('\udfff')).toBe('"\ufdd0dfff"')
    expect(toJsonText('\ufdd0')).toBe('"\ufdd0\ufdd0"')
  })
})

describeWithPostgres('the output of toJsonText', () => {
  it('is accepted by PostgreSQL as text and as jsonb', async () => {
    const client = new pg.Client({ connectionString: await sharedPostgres() })
    await client.connect()
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 40, maxLength: 40 }), async (many) => {
        const texts = many.map(toJsonText)
        const { rows } = await client.query<{ text: string; type: string }>(
          `SELECT text, jsonb_typeof(text::jsonb) AS type
           FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
          [texts],
        )
        expect(rows.map(({ text }) => text)).toEqual(texts)
        expect(rows.map(({ type }) => type)).toEqual(many.map(typeName))
      }),
      { numRuns: runsOf(50) },
    )
    await client.end()
  })
})

function typeName(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
