import { describe, expect, it } from 'vitest'
import { accepts, parseMediaType } from './media-type.ts'

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    [' Application/JSON ', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;charset="a\\"b;c" ; x=y', 'application/json'],
    ['application/json;', 'application/json'],
    ['json', 'json'],
  ])('reads %j', (header, type) => {
    expect(parseMediaType(header)).toEqual({ type })
  })

  it.each([
    ['', 'mime: no media type'],
    [';a=b', 'mime: no media type'],
    ['a b', 'mime: expected slash after first token'],
    ['a/', 'mime: expected token after slash'],
    ['a/b c', 'mime: unexpected content after media subtype'],
    ['application/json;;', 'mime: invalid media parameter'],
    ['application/json; charset', 'mime: invalid media parameter'],
    ['application/json; charset=', 'mime: invalid media parameter'],
    ['application/json; a="b', 'mime: invalid media parameter'],
    ['application/json; a=b; A=c', 'mime: duplicate parameter name'],
  ])('refuses %j', (header, failure) => {
    expect(parseMediaType(header)).toEqual({ failure })
  })

  it('parses a header of any length in linear time', () => {
    expect(parseMediaType(`a/b;x="${'\\"'.repeat(500_000)}`)).toHaveProperty('failure')
    expect(parseMediaType(`a/b${' ;'.repeat(500_000)}`)).toHaveProperty('failure')
  })
})

describe('accepts', () => {
  it.each([
    null,
    '',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'APPLICATION/json',
  ])('accepts JSON with %j', (header) => {
    expect(accepts(header, 'application/json')).toBe(true)
  })

  it.each(['text/html', 'application/json;q=0', 'application/jsonx', 'json', '*'])(
    'does not accept JSON with %j',
    (header) => {
      expect(accepts(header, 'application/json')).toBe(false)
    },
  )
})
