import { type Expansion, expansionsOf, type ShellWord } from './shell-command.ts'

/** Texts that are nested deeper are not read any further. */
const deepest = 100

const parameterName = /[A-Za-z_]\w*|[0-9]|[@*#?$!-]/y
const bracedName = /[A-Za-z_]\w*|[0-9]+|[@*#?$!-]/y
const variableName = /[A-Za-z_]\w*/y
/** Parameters that never have a value of a request. */
const harmless: ReadonlySet<string> = new Set('#?$!-')

/** Reads the commands up to the end of a substitution. */
export type ReadCommands = (reader: ShellReader, end: ')' | '`') => Expansion['commands']

/**
 * Reads words and expansions of a shell text, at a place in it. Runs nothing.
 *
 * @see POSIX, Shell Command Language, sections 2.2 and 2.6
 */
export class ShellReader {
  readonly text: string
  at = 0
  readonly #readCommands: ReadCommands
  #depth = 0
  /** Whether a backquote ends the commands that are being read. */
  #isInBackquotes = false

  constructor(text: string, readCommands: ReadCommands) {
    this.text = text
    this.#readCommands = readCommands
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** The character here, or a later one. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead)
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0]
  }

  /** Whether the word that is being read ends here. */
  isWordEnd(): boolean {
    return this.isAtEnd || /[\s;&|<>()]/.test(this.peek()) || this.isBackquoteEnd()
  }

  isBackquoteEnd(): boolean {
    return this.#isInBackquotes && this.peek() === '`'
  }

  /** Reads a word, or the part of it before `(`. */
  readWord(): ShellWord {
    const start = this.at
    let literal = ''
    let isQuoted = false
    const expansions: Expansion[] = []
    while (!this.isWordEnd()) {
      const character = this.peek()
      if (character === '\\') {
        if (this.peek(1) !== '\n') literal += this.peek(1)
        isQuoted = true
        this.at += 2
      } else if (character === "'" || this.text.startsWith("$'", this.at)) {
        literal += this.#readSingle()
        isQuoted = true
      } else if (character === '"' || this.text.startsWith('$"', this.at)) {
        this.at += character === '$' ? 2 : 1
        literal += this.#readDouble(expansions)
        isQuoted = true
      } else {
        literal += this.#readPlain(expansions, false)
      }
    }
    const text = this.text.slice(start, this.at)
    return { text, literal: expansions.length > 0 ? undefined : literal, isQuoted, expansions }
  }

  /** Reads one character, or an expansion. */
  #readPlain(expansions: Expansion[], isQuoted: boolean): string {
    const expansion = this.readExpansion(isQuoted)
    if (expansion !== undefined) {
      expansions.push(expansion)
      return ''
    }
    this.at += 1
    return this.text.charAt(this.at - 1)
  }

  #readSingle(): string {
    const start = this.text.indexOf("'", this.at) + 1
    const end = this.text.indexOf("'", start)
    this.at = end < 0 ? this.text.length : end + 1
    return this.text.slice(start, end < 0 ? undefined : end)
  }

  #readDouble(expansions: Expansion[]): string {
    let literal = ''
    while (!this.isAtEnd && this.peek() !== '"') {
      if (this.peek() === '\\' && /[\\"$`\n]/.test(this.peek(1))) {
        if (this.peek(1) !== '\n') literal += this.peek(1)
        this.at += 2
      } else {
        literal += this.#readPlain(expansions, true)
      }
    }
    this.at += 1
    return literal
  }

  /** Reads an expansion; `undefined` if there is none here. */
  readExpansion(isQuoted: boolean): Expansion | undefined {
    const start = this.at
    const names = new Set<string>()
    const found = this.#readInto(names)
    if (found === undefined) return undefined
    const written = this.text.slice(start, this.at)
    return { written, isQuoted, names, ...found }
  }

  #readInto(names: Set<string>): Pick<Expansion, 'kind' | 'commands'> | undefined {
    if (this.peek() === '`' && !this.#isInBackquotes) return this.#readSubstitution('`', names)
    if (this.peek() !== '$') return undefined
    if (this.peek(1) === '(' && this.peek(2) === '(') {
      this.at += 3
      this.#deeper(() => this.#readArithmetic(names))
      return { kind: 'arithmetic', commands: [] }
    }
    if (this.peek(1) === '(') return this.#readSubstitution(')', names)
    if (this.peek(1) === '{') {
      this.at += 2
      this.#deeper(() => this.#readBraces(names))
      return { kind: 'parameter', commands: [] }
    }
    this.at += 1
    const name = this.match(parameterName)
    if (name === undefined) {
      this.at -= 1
      return undefined
    }
    this.at += name.length
    this.#note(name, names)
    return { kind: 'parameter', commands: [] }
  }

  #note(name: string, names: Set<string>): void {
    if (!harmless.has(name)) names.add(name)
  }

  #deeper(read: () => void): void {
    this.#depth += 1
    if (this.#depth > deepest) this.at = this.text.length
    else read()
    this.#depth -= 1
  }

  #readSubstitution(end: ')' | '`', names: Set<string>): Pick<Expansion, 'kind' | 'commands'> {
    const isInBackquotes = this.#isInBackquotes
    let commands: Expansion['commands'] = []
    this.at += end === '`' ? 1 : 2
    this.#deeper(() => {
      this.#isInBackquotes = end === '`'
      commands = this.#readCommands(this, end)
      this.#isInBackquotes = isInBackquotes
    })
    for (const one of commands.flatMap(expansionsOf)) {
      for (const name of one.names) names.add(name)
    }
    return { kind: 'command', commands }
  }

  /** Arithmetic also evaluates variables that are named without a dollar sign. */
  #readArithmetic(names: Set<string>): void {
    let open = 2
    while (!this.isAtEnd && open > 0) {
      const name = this.match(variableName)
      if (name !== undefined) {
        names.add(name)
        this.at += name.length
      } else if (!this.#readNested(names)) {
        if (this.peek() === '(') open += 1
        if (this.peek() === ')') open -= 1
        this.at += 1
      }
    }
  }

  #readBraces(names: Set<string>): void {
    const isLength = this.peek() === '#' && this.peek(1) !== '}'
    if (isLength || this.peek() === '!') this.at += 1
    const name = this.match(bracedName) ?? ''
    this.at += name.length
    const isAlternative = this.match(/:?\+/y) !== undefined
    if (name !== '' && !isLength && !isAlternative) this.#note(name, names)
    while (!this.isAtEnd && this.peek() !== '}') {
      if (!this.#readNested(names)) this.at += 1
    }
    this.at += 1
  }

  /** Reads an escaped character, a quoted text or an expansion inside of another expansion. */
  #readNested(names: Set<string>): boolean {
    const character = this.peek()
    if (character === '\\') {
      this.at += 2
      return true
    }
    if (character === '"') {
      const expansions: Expansion[] = []
      this.at += 1
      this.#readDouble(expansions)
      for (const one of expansions) for (const name of one.names) names.add(name)
      return true
    }
    return this.#readInto(names) !== undefined
  }
}
