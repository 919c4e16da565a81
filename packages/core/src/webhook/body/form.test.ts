import { expect, it } from 'vitest'
import { decodeForm } from './form.ts'

const value = (form: string): unknown => decodeForm(form, 64).value

it.each([
  ['', {}],
  ['a=1&b=two+words&c=%C3%BC%26', { a: '1', b: 'two words', c: 'ü&' }],
  ['a=1&a=2', { a: '1' }],
  ['a&b=&=c', { a: '', b: '', '': 'c' }],
  ['a==b', { a: '=b' }],
  ['&&a=1&', { a: '1' }],
])('decodes %j to %j', (form, object) => {
  expect(value(form)).toEqual(object)
})

it('accepts names such as __proto__ like any other', () => {
  const { text } = decodeForm('__proto__=a&constructor=b', 64)
  expect(text).toBe('{"__proto__":"a","constructor":"b"}')
})

it.each(['a=%ff', '%zz=1', 'a=%'])('refuses invalid escapes (%j)', (form) => {
  expect(() => value(form)).toThrow('escape')
})
