import { describe, expect, it } from 'vitest'
import type { FormRules } from '../webhook.ts'
import { decodeForm, plainForm } from './form.ts'

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

describe('nested names', () => {
  const nested = (form: string, maxDepth = 64): unknown =>
    decodeForm(form, maxDepth, { ...plainForm, nested: true }).value

  it.each([
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[1]=1', { a: { '1': '1' } }],
    ['a[4294967295]=1&a[]=2', { a: { '4294967295': '1', '1': '2' } }],
    ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a[b]=1&a[b]=2', { a: { b: '1' } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    [
      '[b]=1&a]b[=2&a[b=3&a[b]c=4&a[[b]]=5',
      { '[b]': '1', 'a]b[': '2', 'a[b': '3', 'a[b]c': '4', 'a[[b]]': '5' },
    ],
    ['0=a&1=b', { '0': 'a', '1': 'b' }],
  ])('in %j become %j', (form, object) => {
    expect(nested(form)).toEqual(object)
  })

  it('stay names without the setting', () => {
    expect(value('a[b]=1')).toEqual({ 'a[b]': '1' })
  })

  it('of prototypes are like any other', () => {
    const { text } = decodeForm('__proto__[a]=1&a[__proto__][b]=2&a[constructor]=3', 64, {
      ...plainForm,
      nested: true,
    })
    expect(text).toBe('{"__proto__":{"a":"1"},"a":{"__proto__":{"b":"2"},"constructor":"3"}}')
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  it.each(['a=1&a[b]=2', 'a[b]=1&a=2', 'a[b]=1&a[b][c]=2'])('contradict in %j', (form) => {
    expect(() => nested(form)).toThrow('with and without brackets')
  })

  it('are bounded', () => {
    expect(() => nested(`a${'[]'.repeat(100_000)}=1`)).toThrow('nested more than 64')
    expect(nested('a[b]=1', 3)).toEqual({ a: { b: '1' } })
    expect(() => value('a=1&'.repeat(10_001))).toThrow('more than 10000 fields')
  })
})

describe('JSON in a field', () => {
  const read = (form: string, rules: Partial<FormRules>) =>
    decodeForm(form, 8, { ...plainForm, ...rules })

  it('is the data, or a member of them, as it was written', () => {
    const form = `payload=${encodeURIComponent('{"ref":"main","n":1.0}')}&token=x`
    expect(read(form, { data: 'payload' }).text).toBe('{"ref":"main","n":1.0}')
    expect(read(form, { json: ['payload'] }).text).toBe(
      '{"payload":{"ref":"main","n":1.0},"token":"x"}',
    )
  })

  it.each([
    ['payload=s3cret', 'invalid_json', 'the field "payload" of the form is not JSON'],
    ['payload=', 'invalid_json', 'the field "payload" of the form is empty'],
    [`payload=${'['.repeat(9)}${']'.repeat(9)}`, 'invalid_json', 'nested more than 8 deep'],
    ['a=1', 'invalid_request', 'payload: is missing'],
  ])('%j is refused', (form, reason, problem) => {
    const refused = () => read(form, { data: 'payload' })
    expect(refused).toThrow(expect.objectContaining({ reason }))
    expect(refused).toThrow(problem)
    expect(refused).not.toThrow('s3cret')
  })
})
