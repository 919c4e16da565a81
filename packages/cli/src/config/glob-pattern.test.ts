import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test-support/cpu-time.ts'
import { parseGlobPattern } from './glob-pattern.ts'

describe('a glob pattern', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['*', 'abc', true],
    ['*', '', true],
    ['*c', 'abc', true],
    ['a*', 'a', true],
    ['a*', 'ab', true],
    ['a*b*c*d*e*', 'axbxcxdxexxx', true],
    ['a*b?c*x', 'abxbbxdbxebxczzx', true],
    ['a*b?c*x', 'abxbbxdbxebxczzy', false],
    ['ab[c]', 'abc', true],
    ['ab[b-d]', 'abc', true],
    ['ab[e-g]', 'abc', false],
    ['ab[^c]', 'abc', false],
    ['ab[^b-d]', 'abc', false],
    ['ab[^e-g]', 'abc', true],
    ['[a-cx-z]', 'y', true],
    ['[!a]', 'a', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'ab', false],
    ['a\\\\b', 'a\\b', true],
    ['[\\-x]', '-', true],
    ['[x\\-]', 'z', false],
    ['[\\]a]', ']', true],
    ['a?b', 'a☺b', true],
    ['a[^a]b', 'a😀b', true],
    ['a[a-ζ]*', 'aα', true],
    ['*[a-ζ]', 'A', false],
    ['*x', 'xxx', true],
    ['.*', 'a', false],
    ['a.c', 'abc', false],
    ['*.tmpl', '.hidden.tmpl', true],
    ['a*', '\n', false],
    ['a?c', 'a\nc', true],
  ])('%j for the name %j: %j', (pattern, name, expected) => {
    expect(parseGlobPattern(pattern).matches(name)).toBe(expected)
  })

  it.each(['[', '[a', '[]a]', '[-x]', '[x-]', '[a-b-c]', '[^', '[^]', 'a\\', '[\\', 'a['])(
    '%j is not valid',
    (pattern) => {
      expect(() => parseGlobPattern(pattern)).toThrow('syntax error in pattern')
    },
  )

  it('takes no longer for a hostile pattern than for others', () => {
    const pattern = parseGlobPattern(`${'a*'.repeat(2_000)}b`)
    const startedAt = cpuMs()
    expect(pattern.matches('a'.repeat(4_000))).toBe(false)
    expect(cpuMs() - startedAt).toBeLessThan(6_000)
  })
})
