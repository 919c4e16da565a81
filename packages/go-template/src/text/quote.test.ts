import fc from 'fast-check'
import { expect, it } from 'vitest'
import { goQuote, goUnquote } from './quote.ts'

it.each([
  ['', '""'],
  ['plain text', '"plain text"'],
  ['say "hi" \\o/', '"say \\"hi\\" \\\\o/"'],
  ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\x00\x1b\x7f', '"\\x00\\x1b\\x7f"'],
  ['ü☃😀', '"ü☃😀"'],
  ['\u0080\u00a0\u00ad\u200b\u2028\ufeff', '"\\u0080\\u00a0\\u00ad\\u200b\\u2028\\ufeff"'],
  ['\ue000\u{e0001}', '"\\ue000\\U000e0001"'],
  ['a\ud800b', '"a\\ufffdb"'],
])('%j is written as %s', (text, literal) => {
  expect(goQuote(text)).toBe(literal)
})

it.each([
  ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\x07\b\f\n\r\t\v\\"'],
  ['"\\x41\\101\\u00fc\\U0001f642"', 'AAü🙂'],
  ['"\\xf0\\x9f\\x99\\x82"', '🙂'],
  ['"\\xef\\xbb\\xbfx"', '\ufeffx'],
  ['"\ttab"', '\ttab'],
])('%s reads as %j', (literal, text) => {
  expect(goUnquote(literal)).toBe(text)
})

it.each([
  '',
  '"',
  'plain',
  '"open',
  '"a"b"',
  '"\\d"',
  '"\\\'"',
  '"\\x4"',
  '"\\x4g"',
  '"\\18"',
  '"\\400"',
  '"\\u12"',
  '"\\ud800"',
  '"\\U00110000"',
  '"\\xff"',
  '"\\"',
  '"a\nb"',
  '"\ud800"',
  '"\\n\ud800"',
])('%j is not a literal', (literal) => {
  expect(goUnquote(literal)).toBeUndefined()
})

it('reads its own output, for every well-formed text', () => {
  const text = fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 20 })
    .map((codes) => String.fromCodePoint(...codes))
    .filter((written) => written.isWellFormed())
  fc.assert(
    fc.property(text, (written) => {
      const literal = goQuote(written)
      expect(literal).toMatch(/^"[^\p{Cc}]*"$/u)
      expect(goUnquote(literal)).toBe(written)
    }),
  )
})
