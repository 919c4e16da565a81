import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test-support/cpu-time.ts'
import { isGatehouseError } from '../errors.ts'
import { type ConfigNode, parseConfigDocument } from './config-document.ts'

function refusal(text: string): string | undefined {
  try {
    parseConfigDocument(text)
    return undefined
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error.reason).toBe('InvalidConfig')
    return error.message
  }
}

function plain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.text
  if (node.kind === 'sequence') return node.items.map(plain)
  return node.entries.map(({ key, value }) => [plain(key), plain(value)])
}

describe('parseConfigDocument', () => {
  it('keeps every scalar as text, every key in its place, and duplicate keys', () => {
    const node = parseConfigDocument('n: yes\non: 017\nn: ~\nempty:\n')
    expect(plain(node)).toEqual([
      ['n', 'yes'],
      ['on', '017'],
      ['n', '~'],
      ['empty', ''],
    ])
  })

  it('counts lines and columns from 1', () => {
    const node = parseConfigDocument('a:\n  - "x"\n')
    const list = node.kind === 'mapping' ? node.entries[0]?.value : undefined
    const item = list?.kind === 'sequence' ? list.items[0] : undefined
    expect(item).toMatchObject({ kind: 'scalar', line: 2, column: 5, isPlain: false })
  })

  it('follows aliases to earlier nodes', () => {
    expect(plain(parseConfigDocument('a: &x [ 1 ]\nb: *x\nc: &x 2\nd: *x\n'))).toEqual([
      ['a', ['1']],
      ['b', ['1']],
      ['c', '2'],
      ['d', '2'],
    ])
    expect(refusal('a: *x\n')).toBe("yaml: unknown anchor 'x' referenced")
    expect(refusal('a: &x [ *x ]\n')).toBe("yaml: anchor 'x' value contains itself")
  })

  it('reads the first document and ignores what follows', () => {
    expect(plain(parseConfigDocument('a: b\n---\n[ broken\n'))).toEqual([['a', 'b']])
    expect(parseConfigDocument('# nothing\n')).toMatchObject({ kind: 'scalar', text: '' })
  })

  it('refuses control characters, and reads half of a surrogate pair as U+FFFD', () => {
    expect(refusal('a: b\x00c\n')).toBe('yaml: control characters are not allowed')
    expect(refusal('a: b\x01c\n')).toBe('yaml: control characters are not allowed')
    expect(plain(parseConfigDocument('a: b\ud800c\n'))).toEqual([['a', 'b\ufffdc']])
    expect(plain(parseConfigDocument('\ufeffa: "\\x00"\n'))).toEqual([['a', '\0']])
  })

  it('names the line of malformed YAML', () => {
    expect(refusal('a: b\nc:\n\t- d\n')).toMatch(/^yaml: line 3: /)
    expect(refusal('a: [ b\n')).toMatch(/^yaml: line 2: /)
  })

  it('limits the nodes from aliases', () => {
    const bomb = ['a0: &a0 [ x, x, x, x, x, x, x, x, x ]']
    for (let i = 1; i < 9; i++) {
      bomb.push(
        `a${i}: &a${i} [ ${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')} ]`,
      )
    }
    expect(refusal(bomb.join('\n'))).toBe('yaml: document contains excessive aliasing')
  })

  it('limits the depth before it recurses', () => {
    const message = 'yaml: document is nested deeper than 256 levels'
    expect(refusal('['.repeat(100_000))).toBe(message)
    expect(refusal('- '.repeat(100_000))).toBe(message)
    expect(refusal('{a: '.repeat(100_000))).toBe(message)
    expect(refusal('? '.repeat(100_000))).toBe(message)
  })

  it('limits the size and the number of tokens', () => {
    expect(refusal(`a: ${'x'.repeat(10 * 1024 * 1024)}`)).toBe(
      'yaml: document is larger than 4194304 characters',
    )
    expect(refusal(`[${'a,'.repeat(600_000)}`)).toBe('yaml: document has more than 1000000 tokens')
  })

  it('reports one of very many errors in linear time', () => {
    const start = cpuMs()
    for (const text of ['}', '"', '*a ', ':', '&a ', '!', '%x\n', 'a: b: c\n', '\t']) {
      refusal(text.repeat(5_000))
    }
    expect(cpuMs() - start).toBeLessThan(10_000)
  })
})
