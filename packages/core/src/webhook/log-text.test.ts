import { expect, it } from 'vitest'
import { logText } from './log-text.ts'

it('logText escapes control characters', () => {
  expect(logText('a\nb\u001b[31m\u0000\u007f\u0085\u2028ü😀')).toBe(
    'a\\x0ab\\x1b[31m\\x00\\x7f\\x85\\u2028ü😀',
  )
})
