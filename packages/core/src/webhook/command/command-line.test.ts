import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { isGatehouseError } from '../../errors.ts'
import { argumentsProblem, parseCommandLine, placeArguments } from './command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-command-line-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The words of a text that needs no shell; `undefined` if it needs one or is invalid. */
function wordsOf(text: string, shell: 'auto' | 'false' = 'auto'): readonly string[] | undefined {
  try {
    const line = parseCommandLine(text, shell)
    return line.kind === 'words' ? line.words : undefined
  } catch (error) {
    if (isGatehouseError(error)) return undefined
    throw error
  }
}

const needsShell = (text: string): boolean => parseCommandLine(text, 'auto').kind === 'shell'
const problemOf = (text: string): string | undefined =>
  argumentsProblem(parseCommandLine(text, 'auto'))

describe('parseCommandLine', () => {
  it('applies a backslash in double quotes only to special characters', () => {
    expect(wordsOf('a "\\a\\\\\\$\\`\\"\\\nb"')).toEqual(['a', '\\a\\$`"b'])
  })

  it('removes a backslash at the end of a line', () => {
    expect(wordsOf('make \\\n  all in\\\nstall')).toEqual(['make', 'all', 'install'])
  })

  it('treats carriage returns as blanks', () => {
    expect(wordsOf('a\rb\r\n')).toEqual(['a', 'b'])
  })

  it.each([
    'a & b',
    'a; b',
    'a < b',
    '(a)',
    'a ?',
    'a [b]',
    'a x*',
    'a `b`',
    'a "`b`"',
    'a $',
    'a "x\\\\$HOME"',
    'a ~',
    'a # b',
    '{ a',
    'a }',
    '! a',
    'A=b',
    "A='b c' d",
    'if a',
    'cd x',
    "'exit' 3",
    '. ./x',
    ': x',
    'a\n\n b',
  ])('gives %j to the shell', (text) => {
    expect(needsShell(text)).toBe(true)
  })

  it.each([
    'a b~ c#d',
    'a \\~ \\# \\$ \\*',
    'a "~" \'#\'',
    "a '{' \\!",
    'a "\\$x \\`y\\`"',
    'a {} {a,b}',
    "'A=b'",
    'A\\=b',
    '1=2',
    "'if' a",
    'a if cd',
    '\n a b \n',
    './cd x',
  ])('splits %j itself', (text) => {
    expect(needsShell(text)).toBe(false)
  })

  it.each([
    ['', 'empty'],
    [' \t\r\n', 'empty'],
    ['"" a', 'empty'],
    ['\\\n', 'lone_backslash'],
    ['a \\', 'lone_backslash'],
    ['a\\ ', 'lone_backslash'],
    ['a "b', 'unterminated_quote'],
    ['a "b\\', 'unterminated_quote'],
    ["a | b 'c", 'unterminated_quote'],
    ['a | b \\', 'lone_backslash'],
    ['a\0b', 'unusable_character'],
    ['a \ud800', 'unusable_character'],
  ])('refuses %j', (text, problem) => {
    expect(() => parseCommandLine(text, 'auto')).toThrow(
      expect.objectContaining({ reason: 'bad_command', info: { problem } }),
    )
  })

  it('leaves texts that only a shell understands to the shell', () => {
    for (const text of [
      'echo "$(echo \'it"s\')"',
      "cat <<X\nit's\nX",
      "a # don't",
      'echo `echo "x`',
      '(a',
    ]) {
      expect(() => parseCommandLine(text, 'auto')).not.toThrow(/./)
    }
  })

  it('never uses a shell with false, and always with true', () => {
    expect(parseCommandLine('cd $HOME && ls *', 'false')).toEqual({
      kind: 'words',
      words: ['cd', '$HOME', '&&', 'ls', '*'],
    })
    expect(parseCommandLine('ls -l \n', 'true')).toEqual({
      kind: 'shell',
      shell: '/bin/sh',
      text: 'ls -l',
    })
    expect(parseCommandLine('print(1)', '/usr/bin/python3')).toEqual({
      kind: 'shell',
      shell: '/usr/bin/python3',
      text: 'print(1)',
    })
  })

  it('restores words that were quoted', () => {
    const quotings = [
      (word: string) => `'${word.replaceAll("'", "'\\''")}'`,
      (word: string) => `"${word.replace(/["\\$`]/g, '\\$&')}"`,
      (word: string) =>
        word === '' ? "''" : word.replace(/[^\n]/gu, '\\$&').replaceAll('\n', "'\n'"),
    ]
    const word = fc.string({ unit: fc.constantFrom(...' \t\n\r\'"\\$`|&;<>()*?[~#{}!=abé😀') })
    const quoted = fc.tuple(word, fc.constantFrom(...quotings))
    fc.assert(
      fc.property(fc.array(quoted), fc.constantFrom(' ', '\t', ' \\\n '), (list, blank) => {
        const text = ['run', ...list.map(([written, quote]) => quote(written)), 'end'].join(blank)
        const words = ['run', ...list.map(([written]) => written), 'end']
        expect(wordsOf(text)).toEqual(words)
        expect(wordsOf(text, 'false')).toEqual(words)
      }),
    )
  })

  it('splits as the shell would', () => {
    const text = fc.string({
      unit: fc.constantFrom(...' \t\n\'\'""\\\\$`|&;<>()*?[]~#{}!=a1'.split('')),
      maxLength: 12,
    })
    let compared = 0
    fc.assert(
      fc.property(text, (written) => {
        const words = wordsOf(`printf '%s\\0' ${written}`)
        if (words === undefined || words.length < 3) return
        compared += 1
        const shell = spawnSync('/bin/sh', ['-c', `printf '%s\\0' ${written}`], { cwd: folder })
        expect(shell.stdout.toString().split('\0').slice(0, -1)).toEqual(words.slice(2))
      }),
      { numRuns: runsOf(2_000) },
    )
    // Most texts mean something to a shell, and about one in twenty is compared.
    expect(compared).toBeGreaterThan(runsOf(2_000) / 100)
  })
})

describe('argumentsProblem', () => {
  it.each([
    ['server &', 'ends in "&"'],
    ['a; b;', 'ends in ";"'],
    ['a |', 'ends in "|"'],
    ['(cd x; ls)', 'ends in ")"'],
    ['echo $(date)', 'ends in ")"'],
    ['if a; then b; fi', 'ends in "fi"'],
    ['for x in *; do echo $x; done', 'ends in "done"'],
    ['case $X in a) b;; esac', 'ends in "esac"'],
    ['{ a; b; }', 'ends in "}"'],
    ['a; b # c', 'has a comment'],
    ['# a\nb', 'has a comment'],
    ['cat <<X\na\nX', 'has a here-document'],
    ['cat <<-"X" | wc\n\t$1\n\tX', 'has a here-document'],
    ['(a; b) > c', 'does not end in a simple command'],
    ['if a; then b; fi > c', 'ends in "fi"'],
    ['cd x && A=1', 'does not end in a command'],
    ['> a', 'does not end in a command'],
    ['a; 2> b A=1 !', 'does not end in a command'],
    ['cd x && exec', 'does not end in a command'],
    ["cd x && 'command' -p", 'does not end in a command'],
    ['exec$A; exec$A', 'does not end in a command'],
    ['cd x; eval', 'to eval'],
    ['a; A=1 eval echo', 'to eval'],
    ['(a', 'ends inside a group'],
    ['a $(b "c', 'ends inside a quote'],
    ['$DEPLOY', 'from $DEPLOY, which may be empty'],
    ['A=1 $B$C x', 'may be empty'],
    ['cd x; `which y`', 'may be empty'],
  ])('refuses %j', (text, problem) => {
    expect(problemOf(text)).toContain(problem)
    expect(problemOf(text)).toContain('write "$@"')
  })

  it.each([
    'docker service update',
    'cd app && ./deploy.sh',
    'a | b > c.txt 2>&1',
    'A=1 ./run',
    'find . -exec ls {} \\;',
    'echo "$(date)"',
    "a; b ')'",
    'cd a; exec ./run',
    'echo $#',
    'a && b x#y',
    'echo $((1 << 2)) x',
    'x=$(cat <y) run',
    'echo `a; b` c',
    'a <<< b c',
    '$HOME/bin/deploy',
    '"$DEPLOY" x',
    'a $B',
  ])('takes %j', (text) => {
    expect(problemOf(text)).toBeUndefined()
  })

  it.each([
    'server "$@" &',
    'if a; then b $1; fi',
    `for x in \${@}; do b; done`,
    '(a $*)',
    `{ a \${10}; }`,
    `a \${2:-b};`,
    'cat <<X\n$1\nX',
    `a "\${1}"; b # c`,
    'a "$(b "$1")" &',
    'a `b $2`;',
  ])('takes %j, which says where arguments belong', (text) => {
    expect(problemOf(text)).toBeUndefined()
    const [, , placed] = placeArguments(parseCommandLine(text, 'auto'), ['x'])
    expect(placed).toBe(text)
  })

  it.each([
    "ps | awk '{print $1}'",
    'a | b "\\$1"',
    'a | b \\$1',
    'a "$(awk \'{print $1}\' f)" b',
    'a; echo $0 $x1 $$',
  ])('finds no place for arguments in %j', (text) => {
    const [, , placed] = placeArguments(parseCommandLine(text, 'auto'), ['x'])
    expect(placed).toBe(`${text} "$@"`)
  })

  it.each(["cat <<'X'\n$1\nX", 'cat <<X\n\\$1\nX', 'a # $1'])(
    'does not treat a parameter that is not expanded as a place: %j',
    (text) => {
      expect(problemOf(text)).toBeDefined()
    },
  )
})

describe('placeArguments', () => {
  it('puts arguments after the words', () => {
    const line = parseCommandLine('git commit -m', 'auto')
    expect(placeArguments(line, ['a b', ''])).toEqual(['git', 'commit', '-m', 'a b', ''])
  })

  it('passes them to a shell as positional parameters', () => {
    const line = parseCommandLine('cd app && ./deploy.sh \n', 'auto')
    expect(placeArguments(line, ['$(id)'])).toEqual([
      '/bin/sh',
      '-c',
      'cd app && ./deploy.sh "$@"',
      'gatehouse',
      '$(id)',
    ])
    expect(placeArguments(line, [])).toEqual([
      '/bin/sh',
      '-c',
      'cd app && ./deploy.sh',
      'gatehouse',
    ])
  })

  it('keeps the number of entries, whatever an argument contains', () => {
    const args = fc.array(fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(args, (list) => {
        for (const text of ['run it', 'cd x; run', 'run "$@" &']) {
          const line = parseCommandLine(text, 'auto')
          const placed = placeArguments(line, list)
          expect(placed.slice(placed.length - list.length)).toEqual(list)
          expect(placed.length - list.length).toBe(line.kind === 'words' ? 2 : 4)
        }
      }),
    )
  })

  it('makes the shell pass them unchanged to the last command', () => {
    const args = ['x; echo pwned', '$(echo pwned)', '`id`', 'a\'b"c', '-n', 'l1\nl2', '*', '']
    for (const text of [
      'cd / && printf "%s\\0"',
      "true | printf '%s\\0'",
      "A=$$ printf '%s\\0' 2>&1",
    ]) {
      const [program, ...others] = placeArguments(parseCommandLine(text, 'auto'), args)
      const { stdout } = spawnSync(program, others, { cwd: folder })
      expect(stdout.toString().split('\0').slice(0, -1)).toEqual(args)
    }
  })

  it('never makes the shell run an argument', () => {
    const marker = join(folder, 'marker')
    const script = join(folder, 'script')
    writeFileSync(script, `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 })
    const part = fc.constantFrom(
      ...['true', 'echo', ':', '&&', '||', ';', ';;', '|', '&', '(', ')', '{', '}', '!', '\n'],
      ...['if', 'then', 'else', 'fi', 'for', 'in', 'do', 'done', 'case', 'esac', 'A=1', 'A='],
      ...[
        '>/dev/null',
        '2>',
        '/dev/null',
        '<',
        '"',
        "'",
        '`',
        '$(',
        '${A:-',
        '$((1',
        '))',
        '\\',
        '#',
      ],
      ...['exec', 'eval', 'command', 'trap', 'time', '<<X', 'X', 'f()', 'x', '$A'],
    )
    const text = fc.array(fc.tuple(part, fc.constantFrom(' ', ' ', '')), { maxLength: 10 })
    let run = 0
    fc.assert(
      fc.property(text, (parts) => {
        const written = parts.flat().join('')
        let line: ReturnType<typeof parseCommandLine>
        try {
          line = parseCommandLine(written, 'auto')
        } catch (error) {
          if (isGatehouseError(error)) return
          throw error
        }
        if (line.kind === 'words' || argumentsProblem(line) !== undefined) return
        run += 1
        rmSync(marker, { force: true })
        const [program, ...args] = placeArguments(line, [script, script])
        spawnSync(program, args, { cwd: folder, stdio: 'ignore', timeout: 5_000 })
        expect(existsSync(marker)).toBe(false)
      }),
      { numRuns: runsOf(1_500) },
    )
    // About one in ten is run.
    expect(run).toBeGreaterThan(runsOf(1_500) / 50)
  })
})
