import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { endOfString, leadingText } from './json-places.ts'

it('a string ends at its first quote that is not escaped', () => {
  const part = fc.constantFrom('"', '\\', '\\\\', '\\"', 'x', 'é', 'x'.repeat(40))
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = `"${parts.join('')}`
      const closed = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0]
      expect(endOfString(text, 0)).toBe(closed?.length ?? text.length)
    }),
    { numRuns: runsOf(100) },
  )
})

describe('the text of a member at the beginning of a text', () => {
  it.each([
    ['{"id":"a","data":{', 'a'],
    [' {"x":[1,{"id":"no"}],"id" : "\\u0061" ,', 'a'],
    ['{"id":"a"}', 'a'],
    ['{"id":"b","id":"a",', 'a'],
    ['{"data":"long', undefined],
    ['{"id":"a', undefined],
    ['{"id":"a"', undefined],
    ['{"id":"a\\"', undefined],
    ['{"id":7,', undefined],
    ['{"id":{"id":"a"},', undefined],
    ['{"id', undefined],
    ['{"idx', undefined],
    ['{"\\q":1,"id":"a",', undefined],
    ['{"id":"\\q",', undefined],
    ['[{"id":"a",', undefined],
    ['', undefined],
    ['"id":"a",', undefined],
  ])('of %j is %j', (cut, expected) => {
    expect(leadingText(cut, 'id')).toBe(expected)
  })

  it('is that of the whole text, or missing, wherever the text breaks off', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string())
    const object = fc.record({ before: value, id: fc.string(), after: value })
    fc.assert(
      fc.property(object, fc.nat(), (whole, at) => {
        const text = JSON.stringify(whole)
        expect([undefined, whole.id]).toContain(leadingText(text.slice(0, at % text.length), 'id'))
        expect(leadingText(text, 'id')).toBe(whole.id)
      }),
    )
  })
})
