import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runsOf } from '../../../../test-support/lane.ts'
import { compareYamlKeys } from './key-order.ts'
import { writeYaml, type YamlValue } from './text.ts'

const map = (entries: Record<string, YamlValue>): Map<string, YamlValue> =>
  new Map(Object.entries(entries))

describe('writeYaml', () => {
  it('writes lists at the column of their key and empty collections in brackets', () => {
    const text = writeYaml(map({ a: ['x', map({ b: [], c: map({}) }), [1, true, null]] }))
    expect(text).toBe('a:\n- x\n- b: []\n  c: {}\n- - 1\n  - true\n  - null\n')
    expect(writeYaml(new Map())).toBe('{}\n')
  })

  it('quotes texts that would parse as something else', () => {
    const texts = ['yes', '1', '1:30', '', '~', 'a: b', '- a', '#a', "it's", "'a'", 'a\nb', 'a\tb']
    expect(writeYaml(map({ a: texts }))).toBe(
      `a:\n- "yes"\n- "1"\n- "1:30"\n- ""\n- "~"\n- 'a: b'\n- '- a'\n- '#a'\n- it's\n- '''a'''\n- |-\n  a\n  b\n- "a\\tb"\n`,
    )
  })

  it('writes marked values on one line and folds it', () => {
    expect(writeYaml(map({ a: { flow: ['x:y', map({ b: 'c' })] } }))).toBe("a: ['x:y', {b: c}]\n")
  })

  it('writes texts that another reader parses to the same texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary-ascii' }),
      fc
        .array(
          fc.constantFrom(
            'a',
            ' ',
            '\n',
            ':',
            '#',
            '-',
            "'",
            '"',
            '\\',
            'é',
            '😀',
            '%',
            'long word ',
          ),
          {
            maxLength: 40,
          },
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text), { maxLength: 8 }),
        fc.boolean(),
        (pairs, inFlow) => {
          const entries = new Map<string, YamlValue>(pairs)
          const value: YamlValue = inFlow ? { flow: [entries] } : [entries]
          const read: unknown = parse(writeYaml(new Map([['a', value]])), {
            schema: 'failsafe',
            mapAsMap: true,
            maxAliasCount: 0,
          })
          expect(read).toEqual(new Map([['a', [entries]]]))
        },
      ),
      { numRuns: runsOf(100) },
    )
  })
})

describe('compareYamlKeys', () => {
  it('sorts numbers by value, and letters last', () => {
    const keys = ['a10', 'a9', 'a', 'A', '_b', 'c1', 'c01', 'c_1', 'Z', 'a9b']
    expect(keys.sort(compareYamlKeys)).toEqual([
      '_b',
      'A',
      'Z',
      'a',
      'a9',
      'a9b',
      'a10',
      'c_1',
      'c1',
      'c01',
    ])
  })
})
