import type { ShellWord } from './shell-command.ts'

const shells = /^(?:ba|da|a|z|k|mk|pdk|lk|ya)?sh$/
/** Options with a text that the program executes; most interpreters have their own letters. */
const codeOptions: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [shells, /^[-+][A-Za-z]*c[A-Za-z]*$/],
  [/^(?:su|runuser|script|flock|sg)$/, /^(?:-[A-Za-z]*c|--command)$/],
  [/^(?:python|pypy)[\d.]*$/, /^-[A-Za-z]*c$/],
  [/^(?:node|deno|bun|nodejs)$/, /^(?:-[ep]|-pe|--eval|--print|eval)$/],
  [/^(?:perl|ruby)[\d.]*$/, /^-[A-Za-z0-9]*[eE]$/],
  [/^php[\d.]*$/, /^(?:-[rBRE]|--run)$/],
  [/^(?:lua|luajit|Rscript|osascript|guile|elixir)[\d.]*$/, /^-[ec]$/],
  [/^env$/, /^(?:-[A-Za-z]*S|--split-string)$/],
]
const interpreters =
  /^(?:(?:ba|da|a|z|k|mk|pdk|lk|ya)?sh|(?:python|pypy|perl|ruby|php|lua)[\d.]*|node|nodejs|Rscript)$/
/** Their first operand is a program. */
const codeOperands = /^(?:[gmn]?awk|sed)$/
/** Shell commands that evaluate their arguments. */
const evaluators: ReadonlySet<string> = new Set(['eval', 'trap', 'alias', 'let'])
/** Shell commands that set the variables that their arguments name. */
const declarations: ReadonlySet<string> = new Set(
  'export declare typeset local readonly'.split(' '),
)
/** They give their arguments to a shell, here or on another machine. */
const forwarders: ReadonlySet<string> = new Set(
  'ssh rsh watch parallel tmux screen at batch'.split(' '),
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
  ['setsid', ['', 0]],
  ['stdbuf', ['ioe', 0]],
  ['time', ['fo', 0]],
  ['timeout', ['ks', 1]],
  ['sudo', ['ughpCDRTU', 0]],
  ['doas', ['uC', 0]],
  ['chroot', ['', 1]],
  ['xargs', ['nPILdaEs', 0]],
  ['busybox', ['', 0]],
])

/** The name of a program, without its folder; empty if an expansion names it. */
export function programName(word: ShellWord | undefined): string {
  return word?.literal?.replace(/^.*\//s, '') ?? ''
}

export const isShell = (name: string): boolean => shells.test(name)
export const isInterpreter = (name: string): boolean => interpreters.test(name)
export const isEvaluator = (name: string): boolean => evaluators.has(name)
export const isDeclaration = (name: string): boolean => declarations.has(name)
export const isForwarder = (name: string): boolean => forwarders.has(name)

/** The index of the program that a command runs in the end; an index after the last word if there is none. */
export function programIndex(words: readonly ShellWord[]): number {
  let index = 0
  for (;;) {
    const [options, operands] = wrappers.get(programName(words[index])) ?? []
    if (options === undefined || operands === undefined) return index
    index = afterOptions(words, index + 1, options) + operands
  }
}

/** Skips options with their words, and assignments as `env` takes them. */
function afterOptions(words: readonly ShellWord[], start: number, options: string): number {
  let index = start
  for (; index < words.length; index++) {
    const { text = '', literal } = words[index] ?? {}
    if (literal === '--') return index + 1
    if (/^[A-Za-z_]\w*=/.test(text)) continue
    if (literal === undefined || !/^-./.test(literal)) return index
    if (/^-.$/.test(literal) && options.includes(literal.charAt(1))) index += 1
  }
  return index
}

/** A word that a program executes as code. */
export interface CodePlace {
  readonly program: string
  readonly option: string
  /** Of the code; there may be no such word. */
  readonly index: number
}

/** The places of code among the words of a command, wherever its interpreter is named. */
export function codePlaces(words: readonly ShellWord[]): readonly CodePlace[] {
  return words.flatMap((word, at): CodePlace[] => {
    const program = programName(word)
    const option = codeOptions.find(([known]) => known.test(program))?.[1]
    if (option === undefined) return []
    for (let index = at + 1; index < words.length; index++) {
      const { literal } = words[index] ?? {}
      if (literal === undefined) return []
      if (option.test(literal)) return [{ program, option: literal, index: index + 1 }]
      if (!/^[-+]/.test(literal) && program !== 'flock' && program !== 'su') return []
      // `-o pipefail`
      if (isShell(program) && /^[-+][A-Za-z]*[oO]$/.test(literal)) index += 1
    }
    return []
  })
}

/** The index of the first word after the options of an interpreter. */
export function operandIndex(words: readonly ShellWord[], start: number): number {
  let index = start
  while (/^[-+]./.test(words[index]?.literal ?? '')) {
    if (/^[-+][A-Za-z]*[oO]$/.test(words[index]?.literal ?? '')) index += 1
    index += 1
  }
  return index
}

/** The index of the program text of `awk` or `sed`; `undefined` for other programs, or if an option gives it. */
export function codeOperand(words: readonly ShellWord[], at: number): number | undefined {
  if (!codeOperands.test(programName(words[at]))) return undefined
  const hasOption = words.some(({ literal }) =>
    /^-(?:[A-Za-z]*[ef]|-(?:file|expression))/.test(literal ?? ''),
  )
  return hasOption ? undefined : operandIndex(words, at + 1)
}
