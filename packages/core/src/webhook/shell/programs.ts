import { type Interpreter, interpreters, shells } from './interpreters.ts'
import type { ShellWord } from './shell-command.ts'

/** Options, besides those of letters, that take a word. */
const longOptions =
  /^--(?:rcfile|init-file|require|import|loader|conditions|env-file|user|group|host|prompt|chdir|unset|adjustment|kill-after|signal|max-args|max-procs|max-lines|arg-file|delimiter|eof|wait|timeout|class|classdata|mode|output|unit|uid|gid|slice|property|setenv|working-directory|role|type)$/
/** Shell commands that evaluate their arguments. */
const evaluators: ReadonlySet<string> = new Set(['eval', 'trap', 'alias', 'let'])
/** Shell commands that set the variables that their arguments name. */
const declarations: ReadonlySet<string> = new Set(
  'export declare typeset local readonly'.split(' '),
)
const namers: ReadonlySet<string> = new Set('read unset mapfile readarray'.split(' '))
/** They give their arguments to a shell, here or on another machine. */
const forwarders: ReadonlySet<string> = new Set('ssh rsh watch parallel tmux screen'.split(' '))
/** They run a program somewhere else, which reads what they read. */
const carriers: ReadonlySet<string> = new Set(
  'ssh rsh docker podman kubectl oc lxc nsenter'.split(' '),
)
/** Programs that run the program among their arguments, with the options that take a word, and the number of other words. */
const wrappers: ReadonlyMap<string, readonly [options: string, operands: number]> = new Map([
  ['exec', ['a', 0]],
  ['command', ['', 0]],
  ['builtin', ['', 0]],
  ['env', ['uC', 0]],
  ['nohup', ['', 0]],
  ['nice', ['n', 0]],
  ['ionice', ['cnp', 0]],
  ['chrt', ['TPD', 1]],
  ['taskset', ['', 1]],
  ['numactl', ['NmpC', 0]],
  ['setsid', ['', 0]],
  ['setpriv', ['', 0]],
  ['stdbuf', ['ioe', 0]],
  ['unbuffer', ['', 0]],
  ['time', ['fo', 0]],
  ['timeout', ['ks', 1]],
  ['sudo', ['ughpCDRTU', 0]],
  ['doas', ['uC', 0]],
  ['gosu', ['', 1]],
  ['su-exec', ['', 1]],
  ['chroot', ['', 1]],
  ['unshare', ['SGRw', 0]],
  ['nsenter', ['tSGrw', 0]],
  ['fakeroot', ['lsib', 0]],
  ['strace', ['eopsSuaPX', 0]],
  ['ltrace', ['eopsSulnF', 0]],
  ['systemd-run', ['pMHE', 0]],
  ['tini', ['pg', 0]],
  ['dumb-init', ['r', 0]],
  ['flock', ['wE', 1]],
  ['xargs', ['nPILdaEs', 0]],
  ['busybox', ['', 0]],
])

/** The name of a program, without its folder; empty if an expansion names it that may be anything. */
export function programName(word: ShellWord | undefined): string {
  const names = (word?.expansions ?? []).flatMap((one) => [...one.names])
  if (names.length > 0 && names.every((name) => /^(?:SHELL|BASH)$/.test(name))) return 'sh'
  return word?.literal?.replace(/^.*\//s, '') ?? ''
}

export const isShell = (name: string): boolean => shells.test(name)
export const isEvaluator = (name: string): boolean => evaluators.has(name)
export const isDeclaration = (name: string): boolean => declarations.has(name)
export const isForwarder = (name: string): boolean => forwarders.has(name)

const interpreterOf = (word: ShellWord | undefined): Interpreter | undefined => {
  const program = programName(word)
  return program === '' ? undefined : interpreters.find(({ name }) => name.test(program))
}

/** The index of the program that a command runs in the end; an index after the last word if there is none. */
export function programIndex(words: readonly ShellWord[]): number {
  let index = 0
  for (;;) {
    const [options, operands] = wrappers.get(programName(words[index])) ?? []
    if (options === undefined || operands === undefined) return index
    index = afterOptions(words, index + 1, options) + operands
  }
}

/** Whether the next word belongs to an option. */
const takesWord = (option: string, letters: string): boolean =>
  longOptions.test(option) ||
  (/^[-+][A-Za-z]+$/.test(option) && letters.includes(option.charAt(option.length - 1)))

/** Skips options with their words, and assignments as `env` takes them. */
function afterOptions(words: readonly ShellWord[], start: number, options: string): number {
  let index = start
  for (; index < words.length; index++) {
    const { text = '', literal } = words[index] ?? {}
    if (literal === '--') return index + 1
    if (/^[A-Za-z_]\w*=/.test(text)) continue
    if (literal === undefined || !/^-./.test(literal)) return index
    if (takesWord(literal, options)) index += 1
  }
  return index
}

/** The programs that `find` runs. */
export function foundPrograms(words: readonly ShellWord[]): readonly ShellWord[] {
  if (programName(words[programIndex(words)]) !== 'find') return []
  return words.filter((_, index) => /^-(?:exec|ok)(?:dir)?$/.test(words[index - 1]?.literal ?? ''))
}

/** The words that name variables to set. */
export function namingWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(words[0])
  const after = (option: string): readonly ShellWord[] =>
    words.filter((_, index) => words[index - 1]?.literal === option)
  if (/^(?:test|\[|\[\[|printf|wait)$/.test(name)) return [...after('-v'), ...after('-p')]
  return namers.has(name) || isDeclaration(name) ? words.slice(1) : []
}

/** A word that a program executes as code. */
export interface CodePlace {
  readonly program: string
  readonly option: string
  /** Of the code; there may be no such word. */
  readonly index: number
  /** Whether the program is known. */
  readonly isSure: boolean
}

/** The literal beginning of a word, without quotes. */
const headOf = ({ text, literal }: ShellWord): string =>
  literal ?? (/^[^$`]*/.exec(text)?.[0] ?? '').replace(/["'\\]/g, '')

/** The places of code among the words of a command, wherever its interpreter is named. */
export function codePlaces(words: readonly ShellWord[]): readonly CodePlace[] {
  return words.flatMap((word, at) => {
    const known = interpreterOf(word)
    if (known !== undefined) return optionPlaces(words, at, known, programName(word))
    // A variable may name a shell.
    const isOpen = at === programIndex(words) && /^"?\$/.test(word.text)
    return isOpen ? optionPlaces(words, at, { name: /^$/, code: /^-[a-z]*c$/ }, '') : []
  })
}

function optionPlaces(
  words: readonly ShellWord[],
  at: number,
  { code, globalCode, takes = '', mixes = false, name }: Interpreter,
  program: string,
): readonly CodePlace[] {
  const places: CodePlace[] = []
  let isGlobal = true
  const isCode = (option: string): boolean =>
    code?.test(option) === true || (isGlobal && globalCode?.test(option) === true)
  for (let index = at + 1; index < words.length && code !== undefined; index++) {
    const word = words[index]
    if (word === undefined) break
    const { literal } = word
    const head = headOf(word)
    const option = head.replace(/=.*/s, '')
    const place = { program: program || word.text, option, isSure: program !== '' }
    if (literal !== undefined && isCode(literal)) {
      const isOfShell = name === shells
      places.push({
        ...place,
        index: isOfShell ? operandIndex(words, index + 1, takes) : index + 1,
      })
      if (isOfShell) break
      index += 1
    } else if (literal === undefined && (isCode(option) || isCode(head.slice(0, 2)))) {
      places.push({ ...place, index })
    } else if (literal !== undefined && takesWord(literal, takes)) index += 1
    else if (!/^[-+]./.test(head) || literal === '--') {
      isGlobal = false
      if (!mixes) break
    }
  }
  return places
}

/** The index of the first word after the options of an interpreter. */
function operandIndex(words: readonly ShellWord[], start: number, takes: string): number {
  let index = start
  for (; /^[-+]./.test(headOf(words[index] ?? nothing)); index++) {
    const option = words[index]?.literal ?? ''
    if (option === '--') return index + 1
    if (takesWord(option, takes)) index += 1
  }
  return index
}

/** The index of the operand that an interpreter executes. */
const executedIndex = (words: readonly ShellWord[], at: number, known: Interpreter): number =>
  operandIndex(words, at + 1, known.takes ?? '') + (known.before ?? 0)

const nothing = { text: '', literal: '', isQuoted: false, mayVanish: false, expansions: [] }

/** The index of the text that a program such as `awk` or `sed` executes, if no option has it. */
export function codeOperand(words: readonly ShellWord[], at: number): number | undefined {
  const known = interpreterOf(words[at])
  if (known?.operand !== 'code') return undefined
  const hasOption = words
    .slice(at + 1)
    .some((word) => /^-(?:[A-Za-z]*[ef]$|[ef]|-(?:file|expression|source))/.test(headOf(word)))
  return hasOption ? undefined : executedIndex(words, at, known)
}

/** The words that choose which script an interpreter executes. */
export function scriptWords(words: readonly ShellWord[], at: number): readonly ShellWord[] {
  const known = interpreterOf(words[at])
  if (known?.operand === 'code') {
    return words.filter((_, index) => /^(?:-f|--file)$/.test(words[index - 1]?.literal ?? ''))
  }
  if (known?.operand !== 'script' || readsInput(words, at)) return []
  const script = words[executedIndex(words, at, known)]
  return script === undefined || codePlaces(words).length > 0 ? [] : [script]
}

/** Whether a command executes its standard input. */
export function readsInput(words: readonly ShellWord[], at: number): boolean {
  const name = programName(words[at])
  if (carriers.has(name)) {
    const inner = words.findIndex((word, index) => index > at && isShell(programName(word)))
    if (inner > 0) return readsInput(words, inner)
    const hosts = words.slice(at + 1).filter(({ text }) => !text.startsWith('-'))
    return name === 'ssh' && hosts.length === 1
  }
  const known = interpreterOf(words[at])
  if (known === undefined) return false
  if (/[gmn]?awk|sed/.test(name)) {
    return scriptWords(words, at).some(({ literal }) => literal === '-' || literal === '/dev/stdin')
  }
  if (known.reads !== true || codePlaces(words).length > 0) return false
  const operand = words[executedIndex(words, at, known)]
  if (known.mixes === true || operand === undefined) return true
  return operand.literal === '-' || words.some(({ literal }) => literal === '-s')
}

/** Programs that execute the file of `-f`, and read no code from their operands. */
const fileReaders = /^(?:psql|g?make|crontab|at)$/

/** Whether the word at an index is a file of code that an option or an operand of a program names. */
export function isFileOfCode(words: readonly ShellWord[], at: number, index: number): boolean {
  const name = programName(words[at])
  if (!fileReaders.test(name) || index <= at) return false
  return /^(?:-f|--file)$/.test(words[index - 1]?.literal ?? '') || name === 'crontab'
}
