import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../errors.ts'
import type { ConfigNode } from './config-document.ts'
import { parseJsonDocument } from './json-document.ts'
import { resolveCoreScalar } from './scalar.ts'

function plain(node: ConfigNode): unknown {
  if (node.kind === 'sequence') return node.items.map(plain)
  if (node.kind === 'mapping') {
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [key.kind === 'scalar' ? key.text : '', plain(value)]),
    )
  }
  const scalar = resolveCoreScalar(node)
  if (scalar.kind === 'null') return null
  return scalar.kind === 'other' ? undefined : scalar.value
}

function refusal(text: string): string | undefined {
  try {
    parseJsonDocument(text, 'c.json')
    return undefined
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error.info.problems).toMatchObject([{ path: '', code: 'syntax' }])
    return error.message
  }
}

const sound = String.raw`{"a": [1, -0.5e+3, 1E5, true, false, null, "", "x\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"],
  "": {"b": {}, "c": [ ]}, "__proto__": "own", "é": "ü"}`

describe('parseJsonDocument', () => {
  it('reads what JSON.parse reads', () => {
    expect(plain(parseJsonDocument(sound))).toEqual(JSON.parse(sound))
    for (const text of ['1', '"x"', 'null', ' [] ', '\t{}\r\n', '-0', '[[[[]]]]']) {
      expect(plain(parseJsonDocument(text))).toEqual(JSON.parse(text))
    }
  })

  it('refuses the same texts as JSON.parse', () => {
    const inserted = [...'{}[],:"\\ 019-+.eEtnu\u0000\n/#\'', 'true', '\\u12', '\ud800']
    let refused = 0
    for (let at = 0; at <= sound.length; at++) {
      const changes = [
        sound.slice(0, at),
        sound.slice(0, at) + sound.slice(at + 1),
        ...inserted.map((text) => sound.slice(0, at) + text + sound.slice(at)),
      ]
      for (const text of changes) {
        const isJson = readsAsJson(text)
        const message = refusal(text)
        // Only duplicate keys are refused in addition.
        if (isJson && message !== undefined) expect(message).toContain('duplicate key')
        else expect([text, message === undefined]).toEqual([text, isJson])
        if (!isJson) refused += 1
      }
    }
    expect(refused).toBeGreaterThan(1_000)
  })

  it('gives lines and columns from 1', () => {
    const root = parseJsonDocument('{\n  "a": 1,\r\n\t"b" : [2, "x"]\n}')
    const [a, b] = root.kind === 'mapping' ? root.entries : []
    expect(root).toMatchObject({ line: 1, column: 1, start: 0, end: 30 })
    expect(a).toMatchObject({ key: { line: 2, column: 3 }, value: { line: 2, column: 8 } })
    expect(b?.key).toMatchObject({ line: 3, column: 2, text: 'b', isPlain: false })
    expect(b?.value).toMatchObject({ items: [{ column: 9 }, { line: 3, column: 12 }] })
  })

  it.each([
    ['{\n "port": 1,\n}', 'c.json:3:1: expected a key in "…", found "}"'],
    ['', 'c.json:1:1: expected a value, found the end of the text'],
    ['{"a":', 'c.json:1:6: expected a value, found the end of the text'],
    ['{"a" 1}', 'c.json:1:6: expected ":", found "1"'],
    ['[1 2]', 'c.json:1:4: expected "," or "]", found "2"'],
    ['[1,]', 'c.json:1:4: expected a value, found "]"'],
    ['{"a":1 "b":2}', 'c.json:1:8: expected "," or "}", found "\\""'],
    ['{} {}', 'c.json:1:4: expected the end of the text, found "{"'],
    ['{a: 1}', 'c.json:1:2: expected a key in "…", found "a"'],
    ['"abc', 'c.json:1:5: expected the end of the string, found the end of the text'],
    ['"a\nb"', 'c.json:1:3: a string must not contain a line break or control character'],
    ['"\\x"', 'c.json:1:2: unknown escape in a string'],
    ['NaN', 'c.json:1:1: expected a value, found "N"'],
    ['01', 'c.json:1:2: expected the end of the text, found "1"'],
    ['{"a":1,"\\u0061":2}', 'c.json:1:8: duplicate key "a"'],
  ])('says where %j is wrong', (text, message) => {
    expect(refusal(text)).toBe(message)
  })

  it('limits depth, values and digits', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(refusal(nested(256))).toBeUndefined()
    expect(refusal(nested(257))).toBe('c.json:1:257: nested deeper than 256 levels')
    expect(refusal('['.repeat(1_000_000))).toContain('nested deeper')
    expect(refusal('{"a":'.repeat(1_000_000))).toContain('nested deeper')
    expect(refusal(`[${'1,'.repeat(1_000_000)}1]`)).toContain('more than 1000000 values')
    expect(refusal('9'.repeat(1_000))).toBeUndefined()
    expect(refusal('9'.repeat(1_001))).toContain('the number is too long')
    expect(refusal(`"${'x'.repeat(4_000_000)}"`)).toBeUndefined()
  })
})

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
