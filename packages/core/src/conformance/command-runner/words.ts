import { expect, it } from 'vitest'
import { type CommandRunnerFactory, textOf, useRunner } from './harness.ts'

/** Texts that shells, options and objects may treat specially. */
const awkwardTexts = [
  '',
  ' ',
  '-',
  '--',
  '-n',
  '--help',
  '-e a',
  '$HOME',
  '$(id)',
  '`id`',
  '$\u007bx:-y}',
  '$((1+1))',
  '$1 $@ $* $#',
  '"',
  "'",
  '\\',
  '\\\\',
  'a\\',
  '\\n',
  'a b  c\td',
  ' leading and trailing ',
  '*',
  '/*',
  '~',
  '?[a-z]',
  '# no comment',
  'a;b',
  'a|b',
  'a&',
  'a && b',
  '<a >b',
  '!x',
  '{a,b}',
  'A=b',
  '\r',
  '\t',
  '\u0001\u001b\u007f',
  '\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089',
  'é',
  '日本語',
  '\u{1f600}\u{10ffff}',
  '\ufeff',
  '\ufffd',
  '__proto__',
  'constructor',
  'n',
  'r',
  'q',
  'eA=b',
  'uPATH',
  'd/',
]
const longTexts = ['x'.repeat(9_000), '日'.repeat(3_000), '$(id)'.repeat(20_000)]
const severalLines = ['\n', 'a\nb', '\na\n\nb\n', '\nr\n', 'x\nq\n']

/** Tests that arguments and variables arrive exactly as given. */
export function describeWords(create: CommandRunnerFactory): void {
  const test = useRunner(create)

  /** The arguments that a program receives. */
  const received = async (args: readonly string[]): Promise<readonly string[]> => {
    const { stdout, exitCode } = await test.run({
      program: '/usr/bin/printf',
      args: ['%s\\0', 'first', ...args],
      outputBytes: 10_000_000,
    })
    expect(exitCode).toBe(0)
    return textOf(stdout.bytes).split('\0').slice(1, -1)
  }

  /** The environment that a program receives. */
  const seen = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { stdout } = await test.run({ program: '/usr/bin/env', args: ['-0'], env })
    return textOf(stdout.bytes).split('\0').slice(0, -1).sort()
  }
  const expected = (env: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .sort()

  it.each([
    ['awkward', awkwardTexts],
    ['long', longTexts],
    ['several lines', severalLines],
  ])('passes arguments unchanged: %s', async (_, texts) => {
    expect(await received(texts)).toEqual(texts)
    for (const text of texts) expect(await received([text])).toEqual([text])
  })

  it('passes no arguments, and many', async () => {
    expect(await received([])).toEqual([])
    const many = Array.from({ length: 2_000 }, (_, i) => (i % 3 === 0 ? '' : `${i}`))
    expect(await received(many)).toEqual(many)
    expect(await received([])).toEqual([])
  })

  it('passes 1 MB in many arguments', async () => {
    const words = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(100_000))
    expect(await received(words)).toEqual(words)
  })

  it('passes every character', async () => {
    for (let first = 1; first < 0x3000; first += 512) {
      const codes = Array.from({ length: 512 }, (_, i) => first + i)
      const text = String.fromCodePoint(...codes).replaceAll('\n', '')
      expect(await received([text])).toEqual([text])
      expect(await seen({ TEXT: text })).toEqual([`TEXT=${text}`])
    }
  })

  it('passes exactly the given variables', async () => {
    expect(await seen({})).toEqual([])
    const texts = [...awkwardTexts, ...severalLines]
    const env = Object.fromEntries(texts.map((text, i) => [`NAME_${i}`, text]))
    expect(await seen(env)).toEqual(expected(env))
    expect(await seen({})).toEqual([])
  })

  it('allows any variable name', async () => {
    const names = ['_', '__proto__', 'constructor', 'toString', 'a-b', 'a.b', 'a b', 'ä', '1a']
    const shellNames = ['IFS', 'PWD', 'OLDPWD', 'HOME', 'PATH', 'PS1', 'PPID', 'OPTIND', 'LINENO']
    const others = ['LC_ALL', 'LANG', 'CDPATH', 'ENV', 'BASH_ENV', 'RANDOM', 'UID', 'SHELLOPTS']
    for (const name of [...names, ...shellNames, ...others, 'NODE_OPTIONS', 'x'.repeat(1_000)]) {
      const env = Object.fromEntries([[name, 'some value:/']])
      expect(await seen(env)).toEqual(expected(env))
    }
    const all = Object.fromEntries([...names, ...others, 'PWD', 'PATH'].map((name) => [name, name]))
    expect(await seen(all)).toEqual(expected(all))
  })

  it('leaks nothing from one command to the next', async () => {
    expect(await seen({ A: '1', B: '2', PWD: '/x' })).toEqual(['A=1', 'B=2', 'PWD=/x'])
    expect(await seen({ B: '2' })).toEqual(['B=2'])
    expect(await seen({ B: '', A: '3' })).toEqual(['A=3', 'B='])
    expect(await seen({ A: '3', C: '' })).toEqual(['A=3', 'C='])
    expect(await seen({})).toEqual([])
    expect(await received(['a', 'b'])).toEqual(['a', 'b'])
    expect(await received(['a'])).toEqual(['a'])
  })

  it('runs a command in its folder, whatever its name', async () => {
    const folder = await test.folder()
    const names = [' a ', '-', '--', '$HOME', "'", '"', 'a\\', 'a\nb', 'é', '..a', '__proto__']
    for (const name of names) {
      const workdir = `${folder}/${name}`
      await test.sh('mkdir -- "$1"', workdir)
      const { stdout } = await test.run({ program: '/bin/pwd', args: ['-P'], workdir, env: {} })
      expect(textOf(stdout.bytes)).toBe(`${workdir}\n`)
      expect(await seen({ A: 'b' })).toEqual(['A=b'])
    }
  })

  it('resolves a folder when the command runs', async () => {
    const folder = await test.folder()
    await test.sh('cd "$1" && mkdir one two one/sub two/sub && ln -s one here', folder)
    const where = async (path: string): Promise<string> => {
      const { stdout } = await test.run({ program: '/bin/pwd', args: ['-P'], workdir: path })
      return textOf(stdout.bytes).slice(folder.length).trimEnd()
    }
    expect(await where(`${folder}/here`)).toBe('/one')
    expect(await where(`${folder}/here/sub/..`)).toBe('/one')
    await test.sh('cd "$1" && rm here && ln -s two here', folder)
    expect(await where(`${folder}/here`)).toBe('/two')
    await test.sh('cd "$1" && mv one three && mkdir one', folder)
    expect(await where(`${folder}/one`)).toBe('/one')
    expect(await where(`${folder}/three`)).toBe('/three')
  })
}
