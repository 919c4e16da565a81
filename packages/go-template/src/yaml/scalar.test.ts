import { expect, it } from 'vitest'
import { isBase60, resolveYamlScalar } from './scalar.ts'

it.each([
  ['yes', true],
  ['Off', false],
  ['tRUE', 'tRUE'],
  ['~', null],
  ['', null],
  ['017', 15],
  ['0o17', 15],
  ['0x1F', 31],
  ['-0b11', -3],
  ['1_000', 1000],
  ['08', 8],
  ['1e3', 1000],
  ['.5', 0.5],
  ['1e400', '1e400'],
  ['2001-01-01', '2001-01-01'],
  ['1.2.3', '1.2.3'],
  ['0x', '0x'],
  ['.inf', Number.POSITIVE_INFINITY],
] as const)('%j stands for %j', (text, value) => {
  expect(resolveYamlScalar(text).value).toEqual(value)
})

it.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-9007199254740993', -9007199254740993n],
  ['0x7fffffffffffffff', 9223372036854775807n],
  ['-9_223_372_036_854_775_808', -9223372036854775808n],
  ['18446744073709551615', 18446744073709551615n],
] as const)('%s keeps all its digits', (text, value) => {
  expect(resolveYamlScalar(text)).toEqual({ tag: '!!int', value })
})

it.each(['18446744073709551616', '-9223372036854775809'])('%s has no 64 bits', (text) => {
  expect(resolveYamlScalar(text)).toEqual({ tag: '!!float', value: Number(text) })
})

it('recognizes only valid timestamps', () => {
  expect(resolveYamlScalar('2001-1-1').tag).toBe('!!timestamp')
  expect(resolveYamlScalar('2001-02-30').tag).toBe('!!str')
  expect(resolveYamlScalar('2001-01-01 10:00:00').tag).toBe('!!timestamp')
})

it('recognizes a number in base 60', () => {
  expect(['1:30', '190:20:30.15', '1:60', 'a:30'].map(isBase60)).toEqual([true, true, false, false])
})
