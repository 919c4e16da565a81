import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Content } from './content.ts'
import { escapeCss, filterCssValue } from './css-escapers.ts'
import { decodeCss } from './css-text.ts'

const plain = (text: string): Content => ({ text, type: 'plain' })

describe('a text in a style sheet', () => {
  it('is escaped, with a blank where the escape could continue', () => {
    expect(escapeCss(plain(`a"b&z'(x)+/:;<>{}\\\n`))).toBe(
      'a\\22 b\\26z\\27\\28x\\29\\2b\\2f\\3a\\3b\\3c\\3e\\7b\\7d\\\\\\a ',
    )
    expect(escapeCss(plain('\0 ;1'))).toBe('\\0  \\3b 1')
  })

  it('is decoded from its escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeCss(escapeCss(plain(text)))).toBe(text)
      }),
    )
  })

  it.each([
    ['a\\65 b', 'aeb'],
    ['\\65\r\nb', 'eb'],
    ['\\000065f', 'ef'],
    ['\\"\\\\', '"\\'],
    ['a\\', 'a'],
    ['\\d800', '\ufffd'],
    ['\\1f600', '😀'],
    ['\\110000 x', '\u{11000}0 x'],
    ['\\😀', '😀'],
  ])('%j stands for %j', (text, decoded) => {
    expect(decodeCss(text)).toBe(decoded)
  })
})

describe('a value in a style sheet', () => {
  it.each(['red', '#f00', '10px', '-1.5em', '50%', 'a b, c', 'é', '!important', ''])(
    '%j is safe',
    (text) => {
      expect(filterCssValue(plain(text))).toBe(text)
    },
  )

  it.each([
    'url(x)',
    'a;b',
    'a{',
    '"a"',
    '<b>',
    '-->',
    'a/**/b',
    '@import',
    'expression',
    'ex-pre ssion',
    'EXPRESSION',
    '\\65xpression',
    '-moz-binding',
    'a\0',
  ])('%j is not', (text) => {
    expect(filterCssValue(plain(text))).toBe('ZgotmplZ')
  })

  it('is any value declared as safe', () => {
    expect(filterCssValue({ text: 'url(x)', type: 'css' })).toBe('url(x)')
  })
})
