import { describe, expect, it } from 'vitest'
import { float, int64, strings, struct, typedText, valueFromJson } from '../make-value.ts'
import type { Run, Value } from '../value.ts'
import { sprint, sprintln } from './sprint.ts'
import { sprintf } from './sprintf.ts'

const run: Run = { spend: () => {}, checkLength: () => {}, checkDepth: () => {} }

const print = (format: string, ...values: Value[]): string => sprintf(run, format, values)

describe('sprintf()', () => {
  it.each<[string, Value[], string]>([
    ['%d|%5d|%-5d|%05d|%+d|% d', [1, 1, 1, 1, 1, 1], '1|    1|1    |00001|+1| 1'],
    ['%x|%#X|%o|%#o|%O|%b|%#b', [255, 255, 8, 8, 8, 5, 5], 'ff|0XFF|10|010|0o10|101|0b101'],
    ['%d|%d', [9007199254740993n, int64(-5n)], '9007199254740993|-5'],
    [
      '%v|%g|%f|%e',
      [1e21, 1e21, 1e21, 1e21],
      '1e+21|1e+21|1000000000000000000000.000000|1.000000e+21',
    ],
    ['%.0f|%.0f|%.1f|%.2f', [float(0.5), float(2.5), 0.25, 1.005], '0|2|0.2|1.00'],
    ['%.30f', [0.1], '0.100000000000000005551115123126'],
    ['%.3e|%.3g|%.0e', [9.9996, 9.9996, 9.6], '1.000e+01|10|1e+01'],
    [
      '%v|%5.1f|%+v',
      [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      'NaN| +Inf|-Inf',
    ],
    ['%g', [5e-324], '5e-324'],
    ['%g', [1.7976931348623157e308], '1.7976931348623157e+308'],
    ['%q|%q', ['a"\n', 0x1f600], '"a\\"\\n"|\'😀\''],
    ['%v|%s|%q|%T', Array(4).fill(typedText('app.Name', 'a')), 'a|a|"a"|app.Name'],
    [
      '%v|%+v|%#v',
      Array(3).fill(struct({ name: 'app.P' }, { A: 1, B: 'x' })),
      '{1 x}|{A:1 B:x}|app.P{A:1, B:"x"}',
    ],
    [
      '%v|%#v',
      Array(2).fill(valueFromJson({ b: [1, null], a: 'x' })),
      'map[a:x b:[1 <nil>]]|map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil)}}',
    ],
    [
      '%q|%#v|%d',
      Array(3).fill(strings(['a', 'b'])),
      '["a" "b"]|[]string{"a", "b"}|[%!d(string=a) %!d(string=b)]',
    ],
    ['%[2]*[1]d|%[1]d', [7, 3], '  7|7'],
    ['%d %d', [1], '1 %!d(MISSING)'],
    ['%d', [1, 'x', null], '1%!(EXTRA string=x, <nil>)'],
    ['%!|%', [1], '%!!(int=1)|%!(NOVERB)'],
    ['%s', ['\ud800'], '\ud800'],
  ])('writes %s', (format, values, expected) => expect(print(format, ...values)).toBe(expected))

  it('uses the own text of a value only for text verbs', () => {
    const type = { name: 'app.L', element: 'int', toText: () => 'own' }
    const list: Value = { kind: 'list', type, items: [1, 2] }
    expect(print('%v|%s|%q|%x|%d|%#v', list, list, list, list, list, list)).toBe(
      'own|own|"own"|6f776e|[1 2]|app.L{1, 2}',
    )
    expect(print('%v', [list])).toBe('[own]')
  })

  it('checks the limit before it writes much', () => {
    const lengths: number[] = []
    const asking: Run = { ...run, checkLength: (length) => lengths.push(length) }
    sprintf(asking, '%3d%3d', [1, 2])
    expect(lengths).toEqual([0, 3, 3, 6])
  })
})

describe('sprint()', () => {
  it('puts a blank between two values if neither is a text', () => {
    expect(sprint(run, [1, 2, 'a', 'b', 3, typedText('t', 'c'), true, null])).toBe(
      '1 2ab3ctrue <nil>',
    )
    expect(sprint(run, [])).toBe('')
  })
})

describe('sprintln()', () => {
  it('puts a blank between all values, and a newline at the end', () => {
    expect(sprintln(run, ['a', 1, null])).toBe('a 1 <nil>\n')
  })
})
