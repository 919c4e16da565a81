import { describe, expect, it } from 'vitest'
import { valueFromJson } from './make-value.ts'
import { kindOf, lengthOf, typeNameOf } from './read-value.ts'

describe('valueFromJson()', () => {
  it('creates maps from objects, whatever their keys', () => {
    const value = valueFromJson(JSON.parse('{"__proto__":{"a":1},"list":[1,1.5,true,null,"x"]}'))
    expect(value).toEqual(
      new Map<string, unknown>([
        ['__proto__', new Map([['a', 1]])],
        ['list', [1, 1.5, true, null, 'x']],
      ]),
    )
    expect([kindOf(value), typeNameOf(value), lengthOf(value)]).toEqual([
      'map',
      'map[string]interface {}',
      2,
    ])
  })

  it('refuses values that are not JSON or nested too deeply', () => {
    expect(() => valueFromJson({ a: () => 1 })).toThrow(TypeError)
    let deep: unknown = 1
    for (let i = 0; i < 2_000; i++) deep = [deep]
    expect(() => valueFromJson(deep)).toThrow(RangeError)
  })
})
