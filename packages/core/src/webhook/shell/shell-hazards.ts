import {
  codeOperand,
  codePlaces,
  foundPrograms,
  isDeclaration,
  isEvaluator,
  isForwarder,
  isShell,
  namingWords,
  programIndex,
  programName,
  readsInput,
  scriptWords,
} from './programs.ts'
import { readShellText } from './read-shell-text.ts'
import { refusedVariable } from './refused-variables.ts'
import { literalWord, type ShellCommand, type ShellWord } from './shell-command.ts'
import { highest, isList, type Level, type StartValues, ValueLevels } from './value-levels.ts'
import { executedFiles, type WrittenFile, writtenFiles } from './written-files.ts'

/** A place where a shell or another program would read a value of a request as more than one plain text. */
export interface Hazard {
  /** Whether it is certain. */
  readonly isSure: boolean
  /** Such as `$1 stands outside of double quotes …`. */
  readonly problem: string
}

/** Commands that ignore their arguments. */
const idle: ReadonlySet<string> = new Set([':', 'true', 'false'])
const maxShownLength = 80
/** Texts in texts that are nested deeper are not read. */
const deepest = 10

const shown = (text: string): string =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text

/** Finds the hazards of the commands of one text. */
class HazardFinder {
  readonly #commands: readonly ShellCommand[]
  readonly #start: StartValues
  readonly #levels: ValueLevels
  readonly #written: ReadonlyMap<string, WrittenFile>
  readonly #depth: number
  readonly #hazards: Hazard[] = []

  constructor(commands: readonly ShellCommand[], start: StartValues, depth: number) {
    this.#commands = commands
    this.#start = start
    this.#levels = new ValueLevels(commands, start)
    this.#written = writtenFiles(commands, this.#levels)
    this.#depth = depth
  }

  find(): readonly Hazard[] {
    const splitsLess = this.#commands.some(
      ({ words: [first, ...others] }) =>
        first?.literal === 'set' &&
        others.some(({ literal = '' }) => /^-[a-zA-Z]*f|^noglob$/.test(literal)),
    )
    for (const [index, command] of this.#commands.entries()) {
      this.#checkQuotes(command, splitsLess)
      this.#checkAssignments(command)
      this.#checkProgram(command)
      this.#checkFiles(command)
      this.#checkCode(command)
      this.#checkInput(command, index === 0)
    }
    return this.#hazards
  }

  #add(level: Level, problem: string, isCertain = true): void {
    if (level > 0) this.#hazards.push({ isSure: level >= 2 && isCertain, problem })
  }

  /** Adds what no quotes prevent, but a pattern for the value. */
  #addUnlessPlain(level: Level, problem: string, isCertain = true): void {
    const advice = 'give the value a pattern that allows only safe characters, such as [a-z0-9-]+'
    if (level !== 2) this.#add(level, `${problem}: ${advice}`, isCertain)
  }

  #checkQuotes(command: ShellCommand, splitsLess: boolean): void {
    const { words, targets, isWhole } = command
    const all = [...words, ...targets, ...command.assignments.map(({ word }) => word)]
    for (const expansion of [...all.flatMap(({ expansions }) => expansions), ...command.input]) {
      this.#checkArithmetic(shown(expansion.written), this.#levels.ofEvaluated(expansion))
    }
    for (const word of all) {
      // `list[$1]=x` and `$[ $1 ]`
      const evaluates = /^\w+\[[^\]]*[$`]|\$\[/.test(word.text)
      if (evaluates) this.#checkArithmetic(shown(word.text), this.#levels.ofWord(word))
    }
    if (isWhole) {
      const comparesNumbers = words.some(({ literal = '' }) =>
        /^-(?:eq|ne|[gl][te]|v)$/.test(literal),
      )
      const level = highest(words.map((word) => this.#levels.ofWord(word)))
      if (comparesNumbers) this.#checkArithmetic('a number in [[ ]]', level)
      return
    }
    if (idle.has(words[0]?.literal ?? '')) return
    for (const expansion of [...words, ...targets].flatMap(({ expansions }) => expansions)) {
      if (expansion.isQuoted || expansion.kind === 'arithmetic') continue
      const text = shown(expansion.written)
      this.#add(
        this.#levels.of(expansion),
        `${text} stands outside of double quotes, where a shell splits it into words and expands its patterns: write "${text}"`,
        !splitsLess,
      )
    }
  }

  #checkArithmetic(text: string, level: Level): void {
    this.#addUnlessPlain(
      level,
      `${text} evaluates a value of a request, which may contain commands`,
    )
  }

  #checkAssignments({ assignments, words }: ShellCommand): void {
    const declared = isDeclaration(programName(words[0])) ? words.slice(1) : []
    const named = [
      ...assignments,
      ...[...declared, ...words].flatMap((word) => {
        const [, name] = /^([A-Za-z_]\w*)=/.exec(word.text) ?? []
        return name === undefined ? [] : [{ name, word }]
      }),
    ]
    const seen = new Set<string>()
    for (const { name, word } of named) {
      const directed = refusedVariable(name)
      if (directed === undefined || seen.has(name)) continue
      seen.add(name)
      this.#add(
        this.#levels.ofWord(word),
        `a request must not set ${name}, which directs ${directed}`,
      )
    }
    for (const word of namingWords(words)) {
      if (word.expansions.length === 0 || /^[A-Za-z_]\w*\+?=/.test(word.text)) continue
      this.#add(this.#levels.ofWord(word), `${shown(word.text)} would name the variable to set`)
    }
  }

  /** The request must not choose what runs. */
  #checkProgram({ words }: ShellCommand): void {
    const at = programIndex(words)
    const program = words[at]
    const name = programName(program)
    if (program !== undefined) this.#checkChoice(program, 'the program')
    for (const one of foundPrograms(words)) this.#checkChoice(one, 'the program')
    const scripts = /^(?:\.|source)$/.test(name) ? words.slice(at + 1, at + 2) : []
    for (const one of [...scripts, ...scriptWords(words, at)]) {
      this.#checkChoice(one, `the script of ${name}`)
    }
    if (/^g?make$/.test(name)) this.#checkVariables(words.slice(at + 1))
    if (!isEvaluator(name) && !isForwarder(name)) return
    for (const word of words.slice(at + 1)) {
      const text = shown(word.text)
      const level = this.#levels.ofWord(word)
      if (isEvaluator(name)) this.#add(level, `${name} evaluates ${text} as shell text`)
      else
        this.#addUnlessPlain(level, `${name} passes ${text} to another shell, whatever its quotes`)
    }
  }

  /** `make` expands the values of variables, such as `$(shell id)`, and puts them into shell texts. */
  #checkVariables(words: readonly ShellWord[]): void {
    for (const word of words) {
      if (!/^[A-Za-z_]\w*[:?+]*=/.test(word.text)) continue
      const problem = `make expands what ${shown(word.text)} has, which may contain commands`
      this.#addUnlessPlain(this.#levels.ofWord(word), problem, false)
    }
  }

  /** A file that has a value of the request must not be executed. */
  #checkFiles(command: ShellCommand): void {
    for (const [word, { level, isSure }] of executedFiles(command, this.#written)) {
      const problem = `${shown(word.text)} would be executed, and has a value of a request in it`
      this.#add(level, `${problem}: pass the value to the script as a parameter`, isSure)
    }
  }

  /** A fixed beginning, such as a folder, leaves less to choose. */
  #checkChoice(word: ShellWord, what: string): void {
    const isWhole = /^"?(?:[$`]|<\()/.test(word.text)
    this.#add(this.#levels.ofFirst(word), `${shown(word.text)} would choose ${what}`, isWhole)
  }

  #checkCode(command: ShellCommand): void {
    const { words } = command
    const at = programIndex(words)
    const operand = codeOperand(words, at)
    if (operand !== undefined) this.#checkText(words[operand], programName(words[at]))
    for (const { program, option, index, isSure } of codePlaces(words)) {
      const code = words[index]
      this.#checkText(code, `${program} ${option}`, isSure)
      const fed = this.#ofFed(command)
      if (code === undefined) this.#add(fed, `${program} ${option} would execute what it gets`)
      if (isShell(program) && code?.literal !== undefined && this.#depth < deepest) {
        this.#checkNested(code.literal, words.slice(index + 1), fed, mark(words))
      }
    }
  }

  /** Whether `xargs` or `find` adds values of a request to the words of a command. */
  #ofFed(command: ShellCommand): Level {
    const { words } = command
    if (words.some((word) => programName(word) === 'xargs')) return this.#levels.ofInput(command)
    const isFinding = foundPrograms(words).length > 0
    return isFinding ? highest(words.map((word) => this.#levels.ofWord(word))) : 0
  }

  #checkText(code: ShellWord | undefined, program: string, isSure = true): void {
    if (code === undefined) return
    const text = shown(code.text)
    const advice = 'write the text itself, and pass the value to it as a parameter'
    const isOnlyList = code.expansions.length > 0 && code.expansions.every(isList)
    const level = isOnlyList ? this.#levels.ofFirst(code) : this.#levels.ofWord(code)
    this.#add(level, `${program} would execute ${text}: ${advice}`, isSure)
  }

  /** Reads the text of `sh -c`, whose parameters are the words after it. */
  #checkNested(
    text: string,
    parameters: readonly ShellWord[],
    fed: Level,
    placeholder: string | undefined,
  ): void {
    const isFilled = (one: string): boolean =>
      placeholder !== undefined && one.includes(placeholder)
    const list = parameters.findIndex(({ expansions }) => expansions.some(isList))
    const known = list < 0 ? parameters : parameters.slice(0, list)
    const positions = known.map((word) => (isFilled(word.text) ? fed : this.#levels.ofWord(word)))
    if (list === 0) positions.push(this.#levels.ofFirst(parameters[0] ?? literalWord('')))
    const others = parameters.slice(known.length).map((word) => this.#levels.ofWord(word))
    const rest = highest([...others, fed])
    if (positions.length === 0) positions.push(fed)
    const commands = readShellText(text).commands
    const { files, readsRequest } = this.#start
    const { variables } = this.#levels
    const start = { positions, rest, variables, files, readsRequest: readsRequest || fed > 0 }
    if (isFilled(text))
      this.#add(fed, `${placeholder} would become part of the text ${shown(text)}`)
    const usesZero = commands.some((one) => namesOf(one).has('0'))
    if (!usesZero && positions[0] !== 0 && parameters.length > 0) {
      const problem = `the value would become $0 of the text ${shown(text)}: write a name such as sh after the text`
      this.#add(positions[0] ?? 0, problem)
    }
    this.#hazards.push(...new HazardFinder(commands, start, this.#depth + 1).find())
  }

  #checkInput(command: ShellCommand, isFirst: boolean): void {
    const { words, input, readsFrom, targets } = command
    const at = programIndex(words)
    const name = programName(words[at])
    const level = this.#levels.ofInput(command)
    if (readsInput(words, at)) {
      const isOpen = isFirst && readsFrom === undefined && input.length + targets.length === 0
      const own = isOpen && this.#start.readsRequest ? 3 : 0
      this.#add(highest([level, own]), `${name} would execute what it reads from a request`)
    }
    const isSplitting =
      words.slice(0, at).some((word) => programName(word) === 'xargs') || name === 'xargs'
    if (!isSplitting) return
    const options = words.map(({ literal = '' }) => literal)
    if (options.some((one) => /^(?:-0|--null|-d.*|--delimiter.*|-[a-z]*0[a-z]*)$/.test(one))) return
    const isWhole = options.some((one) => /^(?:-I.*|-i.*|--replace.*|-L.*)$/.test(one))
    const advice = 'pass the value as an argument, or write printf \'%s\\0\' "$1" | xargs -0'
    this.#add(level, `xargs splits what it reads from a request into words: ${advice}`, !isWhole)
  }
}

/** The text for which `xargs` or `find` puts a value; `undefined` if values follow the words. */
function mark(words: readonly ShellWord[]): string | undefined {
  if (foundPrograms(words).length > 0) return '{}'
  const index = words.findIndex(({ text }) => /^(?:-[Ii]|--replace)/.test(text))
  if (index < 0) return undefined
  const own = /^(?:-[Ii]|--replace=?)(.*)$/s.exec(words[index]?.literal ?? '')?.[1] ?? ''
  return own || (words[index]?.literal === '-I' ? words[index + 1]?.literal : '{}')
}

function namesOf({ words, assignments, targets, input }: ShellCommand): ReadonlySet<string> {
  const all = [...words, ...assignments.map(({ word }) => word), ...targets]
  const expansions = [...all.flatMap((word) => word.expansions), ...input]
  return new Set(expansions.flatMap(({ names }) => [...names]))
}

/** The numbers of the positional parameters that a text names outside of functions; empty if it sets them itself. */
export function namedPositions(commands: readonly ShellCommand[]): readonly number[] {
  if (commands.some(({ words }) => /^(?:set|shift)$/.test(words[0]?.literal ?? ''))) return []
  const names = new Set(commands.flatMap((command) => [...namesOf(command)]))
  return [...names].filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Finds the hazards of commands that start with these values. */
export function findHazards(
  commands: readonly ShellCommand[],
  start: StartValues,
): readonly Hazard[] {
  const hazards = new HazardFinder(commands, start, 0).find()
  const worst = new Map<string, boolean>()
  for (const { problem, isSure } of hazards)
    worst.set(problem, worst.get(problem) === true || isSure)
  return Array.from(worst, ([problem, isSure]) => ({ problem, isSure }))
}
