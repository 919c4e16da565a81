import { compilePattern } from '@gatehouse/go-template/regex'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import { parseSource } from '../request/source.ts'
import type { CommandArgument } from '../webhook.ts'
import { checkCommandLine, resolveArguments } from './command-arguments.ts'

const argument = (settings: Partial<CommandArgument> = {}): CommandArgument => {
  const source = settings.source ?? 'data.v'
  return {
    name: '',
    source,
    from: source === '' ? undefined : parseSource(source),
    format: 'separate',
    on_missing: 'error',
    default: undefined,
    pattern: undefined,
    max_length: 65_536,
    allow_dash: false,
    ...settings,
  }
}

const fixed = (name: string): CommandArgument => argument({ name, source: '' })

function resolve(list: readonly CommandArgument[], value?: unknown): readonly string[] {
  const body = JSON.stringify({ data: { v: value } })
  return resolveArguments({ command_arguments: list }, sampleDelivery({ body }), 0)
}

const rejected = (problem: string, facts = { argument: 0, source: 'data.v' }): unknown =>
  expect.objectContaining({
    reason: 'argument_rejected',
    kind: 'Invalid',
    info: facts,
    message: expect.stringContaining(problem),
  })

describe('resolveArguments', () => {
  it('names the missing argument and its source', () => {
    expect(() => resolve([fixed('a'), argument({ name: '--x', source: 'data.w' })])).toThrow(
      expect.objectContaining({
        reason: 'argument_missing',
        info: { argument: 1, source: 'data.w' },
        message: 'argument 1 (data.w) is missing',
      }),
    )
  })

  it('never quotes a refused value', () => {
    const refused = () => resolve([argument({ pattern: compilePattern('b') })], 's3cret')
    expect(refused).toThrow(rejected('does not match its pattern'))
    expect(refused).not.toThrow('s3cret')
  })

  it('applies on_missing to a missing value', () => {
    const missing = (settings: Partial<CommandArgument>) =>
      resolve([fixed('a'), argument(settings), fixed('z')])
    expect(missing({ name: '-n', on_missing: 'name' })).toEqual(['a', '-n', 'z'])
    expect(missing({ name: '', on_missing: 'name' })).toEqual(['a', 'z'])
    expect(missing({ name: '-n', on_missing: 'skip' })).toEqual(['a', 'z'])
    expect(missing({ name: '-n', on_missing: 'empty' })).toEqual(['a', '-n', '', 'z'])
    expect(missing({ name: '-n', on_missing: 'empty', format: 'equals' })).toEqual([
      'a',
      '-n=',
      'z',
    ])
    expect(missing({ name: '-n', on_missing: 'empty', format: 'value' })).toEqual(['a', '', 'z'])
  })

  it('checks an empty value against the pattern, sent or not', () => {
    const filled = argument({ pattern: compilePattern('.+'), on_missing: 'empty' })
    expect(() => resolve([filled], '')).toThrow(rejected('pattern'))
    expect(() => resolve([filled])).toThrow(rejected('pattern'))
  })

  it('uses a default as configured', () => {
    const settings = {
      default: '--all',
      on_missing: 'error',
      pattern: compilePattern('x'),
    } as const
    expect(resolve([argument(settings)])).toEqual(['--all'])
    expect(resolve([argument({ ...settings, name: 'n', format: 'concat' })])).toEqual(['n--all'])
    expect(resolve([argument({ default: '' })], null)).toEqual([''])
    expect(resolve([argument({ default: 'd' })], '')).toEqual([''])
  })

  it.each([
    ['separate', '--name', false],
    ['separate', '', false],
    ['value', 'label', false],
    ['concat', '', false],
    ['concat', '-n', true],
    ['equals', '--name', true],
    ['equals', '', true],
  ] as const)(
    'with the format %s and the name %j accepts a dash: %s',
    (format, name, takesDash) => {
      const one = [argument({ format, name })]
      if (takesDash) expect(resolve(one, '-x')[0]).toMatch(/-x$/)
      else expect(() => resolve(one, '-x')).toThrow(rejected('begins with a dash'))
      expect(resolve([argument({ format, name, allow_dash: true })], '-x').at(-1)).toMatch(/-x$/)
    },
  )

  it('accepts a negative number, which is not an option', () => {
    for (const number of ['-1', '-0', '-12.50', '-0.5']) {
      expect(resolve([argument()], number)).toEqual([number])
    }
    for (const option of [
      '-',
      '--',
      '-a',
      '-1a',
      '-01',
      '-.5',
      '-1.',
      '-1e3',
      '-1 ',
      '-1\n',
      '-١',
    ]) {
      expect(() => resolve([argument()], option)).toThrow(rejected('begins with a dash'))
    }
  })

  it('counts bytes', () => {
    expect(resolve([argument({ max_length: 4 })], 'éé')).toEqual(['éé'])
    expect(() => resolve([argument({ max_length: 3 })], 'éé')).toThrow(
      rejected('more than 3 bytes'),
    )
  })

  it('makes no entry that Linux would refuse', () => {
    const long = { name: '--n', format: 'equals', max_length: 131_071 } as const
    expect(resolve([argument(long)], 'x'.repeat(131_067))[0]).toHaveLength(131_071)
    expect(() => resolve([argument(long)], 'x'.repeat(131_068))).toThrow(
      rejected('more than 131071 bytes'),
    )
  })

  it.each(['a\0', '\ud800', '\udc00\ud800'])('refuses %j', (value) => {
    expect(() => resolve([argument({ format: 'equals', name: 'x' })], value)).toThrow(
      rejected('has'),
    )
  })

  it('writes half a surrogate pair inside of an object as JSON does', () => {
    expect(resolve([argument()], { a: '\ud800' })).toEqual(['{"a":"\\ud800"}'])
  })

  it('matches no pattern with more than 4096 characters', () => {
    const any = argument({ pattern: compilePattern('(?s:.*)') })
    expect(resolve([any], '😀'.repeat(4096))[0]).toHaveLength(8192)
    expect(() => resolve([any], 'x'.repeat(4097))).toThrow(rejected('pattern'))
    expect(() => resolve([any], `${'😀'.repeat(4096)}x`)).toThrow(rejected('pattern'))
  })

  it('makes the same number of entries of any value as of a plain one, or refuses it', () => {
    const list = [
      fixed('a b'),
      argument({ name: '--x' }),
      argument({ name: '--y', format: 'equals' }),
      argument({ name: '-z', format: 'concat' }),
      argument(),
    ]
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())
    fc.assert(
      fc.property(value, (sent) => {
        let made: readonly string[]
        try {
          made = resolve(list, sent)
        } catch (error) {
          expect(error).toMatchObject({ reason: expect.stringMatching(/^argument_/) })
          return
        }
        const text = typeof sent === 'string' ? sent : JSON.stringify(sent)
        expect(made).toEqual(['a b', '--x', text, `--y=${text}`, `-z${text}`, text])
        expect(made.some((entry) => entry.includes('\0') || !entry.isWellFormed())).toBe(false)
      }),
    )
  })
})

describe('checkCommandLine', () => {
  it('counts the bytes of all words', () => {
    expect(() => checkCommandLine(['é', 'ab', 'c'], 5)).not.toThrow()
    expect(() => checkCommandLine(['é', 'ab', 'cd'], 5)).toThrow(
      expect.objectContaining({ reason: 'argument_rejected' }),
    )
  })
})
