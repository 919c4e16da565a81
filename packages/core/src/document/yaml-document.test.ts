import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../errors.ts'
import { parseYamlDocument } from './yaml-document.ts'

function refusal(text: string): string | undefined {
  try {
    parseYamlDocument(text)
    return undefined
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error.info.problems).toMatchObject([{ path: '', code: 'syntax' }])
    return error.message
  }
}

describe('parseYamlDocument', () => {
  it.each([
    ['a: 1\n---\nb: 2\n', '2:1'],
    ['---\na: 1\n---\n', '3:1'],
    ['--- {a: 1}\n--- {}\n', '2:1'],
    ['a: 1\n...\nb: 2\n', '3:1'],
    ['a: 1\n...\n%YAML 1.2\n---\n', '4:1'],
    ['a: |\n  text\n---\n[ broken', '3:1'],
  ])('refuses a second document, as in %j', (text, place) => {
    expect(refusal(text)).toBe(`${place}: only one document is allowed`)
  })

  it.each([
    '',
    '# nothing\n',
    '---\n',
    '--- {a: 1}\n',
    '%YAML 1.2\n---\na: 1\n',
    '# first\n---\n# second\na: 1\n...\n# third\n',
    'a: "---"\nb: |\n  ---\n  !tag *alias\nc: x --- y\n',
    '--- |\n text\n',
    '? a\n: b\n',
  ])('reads %j as one document', (text) => {
    expect(refusal(text)).toBeUndefined()
  })

  it('accepts only the tags of the core schema', () => {
    const sound = 'a: !!str 1\nb: !!int "1"\nc: !!map {}\nd: !!seq []\ne: ! x\n'
    expect(refusal(`${sound}f: !<tag:yaml.org,2002:str> x\n`)).toBeUndefined()
    for (const tag of ['!own', '!!binary', '!!set', '!!python/object', '!<tag:x,1:y>', '!e!x']) {
      for (const value of ['x', '{}', '[]', '"x"', '|\n  x']) {
        expect(refusal(`%TAG !e! tag:x,1:\n---\na: [1]\nb: ${tag} ${value}\n`)).toMatch(
          /^\d+:\d+: /,
        )
      }
    }
    expect(refusal('a: 1\nb: !own {}\n')).toBe(
      '2:4: only the tags of the core schema are allowed, such as !!str',
    )
  })

  it('refuses duplicate keys, and keys that are not text', () => {
    expect(refusal('a: 1\nb:\n  c: 1\n  "c": 2\n')).toBe('4:3: duplicate key "c"')
    expect(refusal('{a: 1, a: 1}')).toBe('1:8: duplicate key "a"')
    expect(refusal('__proto__: 1\n__proto__: 2\n')).toContain('duplicate')
    expect(refusal('a: {x: 1}\nb: {x: 1}\n')).toBeUndefined()
    expect(refusal('? [a]\n: b\n')).toBe('1:3: a key must be text')
  })

  it('expands at most 100 aliases', () => {
    const list = (count: number): string => Array.from({ length: count }, () => '*x').join(', ')
    expect(refusal(`a: &x {b: 1}\nc: [${list(100)}]\n`)).toBeUndefined()
    expect(refusal(`a: &x {b: 1}\nc: [${list(101)}]\n`)).toBe(
      '1:7: aliases are expanded more than 100 times',
    )
    // The first list has ten; each expansion of it counts eleven.
    const nested = (count: number): string =>
      `a: &x 1\nb: &y [${list(10)}]\nc: [${list(count).replaceAll('x', 'y')}]\n`
    expect(refusal(nested(8))).toBeUndefined()
    expect(refusal(nested(9))).toContain('more than 100 times')
  })

  it('limits aliases of aliases', () => {
    const level = (name: string, of: string): string =>
      `${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(', ')}]\n`
    const bomb = [
      'a: &a [x]\n',
      ...[...'bcdefghij'].map((name, i) => level(name, 'abcdefghi'[i] ?? '')),
    ]
    expect(refusal(bomb.join(''))).toMatch(/alias/)
    expect(refusal('a: &a [*a]\n')).toContain('contains itself')
  })

  it('limits the depth', () => {
    expect(refusal('['.repeat(100_000))).toContain('nested deeper than 256 levels')
    expect(refusal('- '.repeat(100_000))).toContain('nested deeper than 256 levels')
    expect(refusal(`a: ${'{a: '.repeat(1_000)}`)).toContain('nested deeper than 256 levels')
  })

  it('does not quote the text at an error', () => {
    const secret = 'sup3rsecret'
    const broken = [
      `"${secret}`,
      `"\\q${secret}"`,
      `"\\x${secret}"`,
      `'${secret}`,
      `@${secret}`,
      `%${secret}`,
      `|${secret}`,
      `>2${secret}\n  x`,
      `[${secret}`,
      `{${secret}`,
      `] ${secret}`,
      `x: ${secret}: y`,
      `&a &${secret} x`,
      `!!int !!${secret} x`,
      `"a" ${secret}`,
      `[a] ${secret}`,
      `\`${secret}`,
      `- ${secret}\n b`,
    ]
    for (const value of broken) {
      for (const text of [value, `a: ${value}`, `a: ${value}\nb: c`, `- ${value}`, `[${value}]`]) {
        expect(refusal(text) ?? '').not.toContain(secret)
      }
    }
    expect(broken.every((value) => refusal(`token: ${value}\nport: 1`) !== undefined)).toBe(true)
  })
})
