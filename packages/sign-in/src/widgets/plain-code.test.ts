import { expect, it } from 'vitest'
import { plainCode } from './plain-code.ts'

it.each([
  ['with blanks and dashes', ' 402-918 ', '402918'],
  ['in wide digits', '\uff14\uff10\uff12\uff19\uff11\uff18', '402918'],
  ['in Arabic digits', '\u0664\u0660\u0662\u0669\u0661\u0668', '402918'],
  ['in Persian digits', '\u06f4\u06f0\u06f2\u06f9\u06f1\u06f8', '402918'],
  ['with marks of direction', '\u2068402918\u2069', '402918'],
  ['in wide letters', '\uff21\uff22\uff11\uff12', 'AB12'],
  ['that is no code', 'abc', 'abc'],
])('a code %s is read as it was sent', (_, typed, code) => {
  expect(plainCode(typed)).toBe(code)
})
