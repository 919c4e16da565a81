import { describe, expect, it } from 'vitest'
import { float, int64, strings, struct, typedText } from './make-value.ts'
import { isTrue, kindOf, lengthOf, typeNameOf } from './read-value.ts'
import type { Value } from './value.ts'

describe('values', () => {
  it.each<[Value, string, string, boolean]>([
    [null, 'nil', '<nil>', false],
    [true, 'bool', 'bool', true],
    [0, 'int', 'int', false],
    [-0, 'int', 'int', false],
    [7n, 'int', 'int', true],
    [1.5, 'float', 'float64', true],
    [Number.NaN, 'float', 'float64', true],
    [float(0), 'float', 'float64', false],
    [int64(0n), 'int', 'int64', false],
    [{ kind: 'number', type: 'uint8', value: 1 }, 'uint', 'uint8', true],
    ['', 'string', 'string', false],
    [typedText('template.HTML', ''), 'string', 'template.HTML', false],
    [[], 'list', '[]interface {}', false],
    [strings(['a']), 'list', '[]string', true],
    [new Map(), 'map', 'map[string]interface {}', false],
    [struct({ name: 'app.P' }, {}), 'struct', 'app.P', true],
  ])('%o', (value, kind, type, truth) => {
    expect([kindOf(value), typeNameOf(value), isTrue(value)]).toEqual([kind, type, truth])
  })

  it('have a length in bytes or elements', () => {
    expect([lengthOf('é'), lengthOf([1]), lengthOf(new Map()), lengthOf(5)]).toEqual([
      2,
      1,
      0,
      undefined,
    ])
  })
})
