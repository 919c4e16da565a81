import { isFileOfCode, programIndex, programName, readsInput, scriptWords } from './programs.ts'
import type { ShellCommand, ShellWord } from './shell-command.ts'
import { highest, type Level, type ValueLevels } from './value-levels.ts'

/** A file that a text writes a value of a request to. */
export interface WrittenFile {
  readonly level: Level
  /** Whether the command writes the value itself, as `echo` and `cat` do. */
  readonly isSure: boolean
}

/** Commands that write what they are given. */
const writers: ReadonlySet<string> = new Set('echo printf cat tee'.split(' '))

/** The name of a file as it is compared: without quotes, and without `./` before it. */
const nameOf = ({ text }: ShellWord): string =>
  text.replace(/["'\\]/g, '').replace(/^(?:\.\/)+/, '')

/** The files that commands write values of a request to, by redirection or by `tee`. */
export function writtenFiles(
  commands: readonly ShellCommand[],
  levels: ValueLevels,
): ReadonlyMap<string, WrittenFile> {
  const files = new Map<string, WrittenFile>()
  for (const command of commands) {
    const { words, outputs } = command
    const name = programName(words[programIndex(words)])
    const copies = name === 'tee' ? words.slice(1).filter(({ text }) => !text.startsWith('-')) : []
    const given = name === 'tee' ? [] : words.map((word) => levels.ofWord(word))
    const level = highest([...given, levels.ofInput(command)])
    if (level === 0) continue
    for (const file of [...outputs, ...copies]) {
      const known = files.get(nameOf(file))
      files.set(nameOf(file), {
        level: highest([level, known?.level ?? 0]),
        isSure: writers.has(name) || known?.isSure === true,
      })
    }
  }
  return files
}

/** The written files that a command executes, by the word that names each. */
export function executedFiles(
  { words, targets, outputs }: ShellCommand,
  files: ReadonlyMap<string, WrittenFile>,
): readonly (readonly [ShellWord, WrittenFile])[] {
  if (files.size === 0) return []
  const at = programIndex(words)
  const program = words[at]
  const name = programName(program)
  const executed = [
    ...(program?.text.includes('/') === true ? [program] : []),
    ...(/^(?:\.|source)$/.test(name) ? words.slice(at + 1, at + 2) : []),
    ...scriptWords(words, at),
    ...words.filter((_, index) => isFileOfCode(words, at, index)),
    ...(readsInput(words, at) ? targets.filter((target) => !outputs.includes(target)) : []),
  ]
  return executed.flatMap((word) => {
    const file = files.get(nameOf(word))
    return file === undefined ? [] : [[word, file] as const]
  })
}
