import { describe, expect, it } from 'vitest'
import { durationValue } from '../../go-time/duration-value.ts'
import { goTime } from '../../go-time/time.ts'
import { timeValue } from '../../go-time/time-value.ts'
import { float, typedText } from '../../make-value.ts'
import type { Run, Value } from '../../value.ts'
import type { Content } from './content.ts'
import { escapeJsRegexp, escapeJsString, escapeJsTemplate, escapeJsValue } from './js-escapers.ts'

const run: Run = {
  spend: () => undefined,
  checkLength: () => undefined,
  checkDepth: () => undefined,
}
const plain = (text: string): Content => ({ text, type: 'plain' })

describe('a value in a script', () => {
  it.each<readonly [Value, string]>([
    ['a"</script>&\u2028', '"a\\"\\u003c/script\\u003e\\u0026\\u2028"'],
    [1, ' 1 '],
    [-1.5, ' -1.5 '],
    [true, ' true '],
    [null, ' null '],
    [['a', 1], '["a",1]'],
    [new Map<string, Value>([['k', null]]), '{"k":null}'],
    [durationValue(1_000_000_000n), '"1s"'],
    [timeValue(goTime(0)), '"1970-01-01T00:00:00Z"'],
    [typedText('template.HTML', '<b>'), '"\\u003cb\\u003e"'],
    [typedText('template.JS', 'f(x)'), 'f(x)'],
    [typedText('template.JSStr', 'a\\"b'), '"a\\"b"'],
    [float(Number.POSITIVE_INFINITY), ' /* json: unsupported value: +Inf */null '],
  ])('%# is an expression', (value, text) => {
    expect(escapeJsValue(value, run)).toBe(text)
  })
})

describe('a text in a script', () => {
  const all = '\0\t\v"&\'+/<>\\`\u2028$(){}[]é'

  it('is escaped in a string', () => {
    expect(escapeJsString(plain(all))).toBe(
      '\\u0000\\t\\u000b\\u0022\\u0026\\u0027\\u002b\\/\\u003c\\u003e\\\\\\u0060\\u2028$(){}[]é',
    )
  })

  it('keeps its escapes if declared as safe', () => {
    expect(escapeJsString({ text: 'a\\n"', type: 'jsString' })).toBe('a\\n\\u0022')
  })

  it('is escaped in a template literal', () => {
    expect(escapeJsTemplate(plain('a`\x24{b}\\'))).toBe('a\\u0060\\u0024\\u007bb\\u007d\\\\')
  })

  it('matches itself in a regular expression', () => {
    expect(escapeJsRegexp(plain('a.b*c+"[d]|-{1}$^()?/\\`'))).toBe(
      'a\\.b\\*c\\u002b\\u0022\\[d\\]\\|\\-\\{1\\}\\$\\^\\(\\)\\?\\/\\\\`',
    )
    expect(escapeJsRegexp(plain(''))).toBe('(?:)')
  })
})
