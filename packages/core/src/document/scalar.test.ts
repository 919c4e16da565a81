import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ScalarNode } from './config-document.ts'
import { resolveCoreScalar } from './scalar.ts'

const place = { line: 1, column: 1, start: 0, end: 0 }

function scalar(text: string, more: Partial<ScalarNode> = {}): unknown {
  const resolved = resolveCoreScalar({ kind: 'scalar', text, isPlain: true, ...place, ...more })
  if (resolved.kind === 'null') return null
  return resolved.kind === 'other' ? undefined : resolved.value
}

const texts = `~ null Null NULL nULL true True TRUE tRUE false False FALSE yes no on off y n Yes NO
  0 7 007 08 -0 +0 -12 +12 1_000 0o17 0O17 -0o17 0x1F 0Xff -0x1 0b1 1.5 -1.5 +1.5 1. .5 . -. 1e3 1E-3 1.e3 .5e+1 1e
  e1 .inf -.inf +.inf .Inf .INF .iNF .nan .NaN .NAN .Nan -.nan inf nan Infinity NaN 1:30 12:30:45 2001-12-14 0x 0o 0o8
  9007199254740993 1e400 -1e400 ١ 1٠ 1e1e1 1.2.3 << = 99999999999999999999`.split(/\s+/)

describe('resolveCoreScalar', () => {
  it.each(texts)('reads the plain text %s as YAML 1.2 does', (text) => {
    expect(scalar(text)).toEqual(parse(text, { version: '1.2', schema: 'core' }))
  })

  it('reads an empty scalar as null', () => {
    expect(scalar('')).toBeNull()
  })

  it('reads quoted text as text', () => {
    for (const text of ['null', 'true', '12', '', '.inf']) {
      expect(scalar(text, { isPlain: false })).toBe(text)
    }
  })

  it('accepts only the tags of the core schema', () => {
    expect(scalar('12', { tag: '!!str' })).toBe('12')
    expect(scalar('true', { tag: '!' })).toBe('true')
    expect(scalar('12', { tag: '!!int', isPlain: false })).toBe(12)
    expect(scalar('1.5', { tag: '!!float' })).toBe(1.5)
    expect(scalar('true', { tag: '!!bool' })).toBe(true)
    expect(scalar('~', { tag: '!!null' })).toBeNull()
    expect(scalar('x', { tag: '!!int' })).toBeUndefined()
    expect(scalar('1', { tag: '!!bool' })).toBeUndefined()
    expect(scalar('1', { tag: '!!binary' })).toBeUndefined()
    expect(scalar('', { tag: '!function' })).toBeUndefined()
  })

  it('reads millions of digits quickly', () => {
    expect(scalar('9'.repeat(3_000_000))).toBe(Number.POSITIVE_INFINITY)
  })
})
