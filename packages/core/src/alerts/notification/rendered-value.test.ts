import { describe, expect, it } from 'vitest'
import type { AnyValue } from '../fields/any-value.ts'
import { renderedValue } from './rendered-value.ts'

const same = (text: string): string => text
const render = (value: AnyValue): unknown => renderedValue(value, same)

describe('renderedValue', () => {
  it('renders every string, including names', () => {
    const value = new Map<string, AnyValue>([
      ['b', ['x', new Map([['c', 'y']])]],
      ['a', 'z'],
    ])
    const marked = renderedValue(value, (text) => `<${text}>`)
    expect(marked).toEqual({ '<a>': '<z>', '<b>': ['<x>', { '<c>': '<y>' }] })
    expect(Object.keys(marked)).toEqual(['<a>', '<b>'])
  })

  it.each([1, -0.5, true, false, null])('keeps %s', (value) => {
    expect(render([value])).toEqual([value])
  })

  it.each([
    ['12', 12],
    ['1.5', 1.5],
    ['12345678901234567890', 12345678901234567890n],
    ['{"id": [9007199254740993]}', { id: [9007199254740993n] }],
    ['!!float 9007199254740993', 9007199254740992],
    ['yes', true],
    ['null', null],
    ['~', null],
    ['', null],
    ['[1, a]', [1, 'a']],
    ['- 1\n- b', [1, 'b']],
    ['{"b": {"c": [null]}, "a": "1"}', { a: '1', b: { c: [null] } }],
    ['a: 1\nb: x', { a: 1, b: 'x' }],
    ['{a: 1, 2: b, true: c, null: d, "4": e}', { a: 1, 4: 'e' }],
    ['v: &x {a: 1, b: 1}\nw: {<<: *x, b: 2}', { v: { a: 1, b: 1 }, w: { a: 1, b: 2 } }],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
    ['{a: 1, a: 2}', { a: 2 }],
  ])('parses %o as YAML', (text, value) => {
    expect(render([text])).toEqual([value])
  })

  it.each([
    'text',
    'text # with more',
    '"quoted"',
    '# channel',
    '[FIRING:2] HighLatency',
    'a: b: c',
    '\tindented: x',
    '*nobody',
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '{[1]: a}',
    '<<: x',
    '\u0000',
    '{{{',
    '['.repeat(100_000),
  ])('keeps the text %o', (text) => {
    expect(render(text)).toBe(text)
  })

  it('parses a rendered string once', () => {
    expect(renderedValue('t', () => '["{{ .x }}", "1"]')).toEqual(['{{ .x }}', '1'])
  })

  it.each(['.inf', '[.nan]'])('refuses %s, which JSON cannot represent', (text) => {
    expect(() => render(text)).toThrow(/^JSON cannot represent the number /)
    expect(() => render(Number.NaN)).toThrow('JSON cannot represent the number NaN')
  })

  it('fails if a template fails', () => {
    const failing = (): never => {
      throw new RangeError('no')
    }
    expect(() => renderedValue(new Map([['a', 'b']]), failing)).toThrow('no')
  })
})
