import {
  type Expansion,
  expansionsOf,
  functionParameter,
  functionParameters,
  type ShellWord,
} from './shell-command.ts'

/** Texts that are nested deeper are not read any further. */
const deepest = 100

const parameterName = /[A-Za-z_]\w*|[0-9]|[@*#?$!-]/y
const bracedName = /[A-Za-z_]\w*|[0-9]+|[@*#?$!-]/y
const variableName = /[A-Za-z_]\w*/y
/** Parameters that never have a value of a request. */
const harmless: ReadonlySet<string> = new Set('#?$!-')

/** What a text has anywhere in it. */
export interface ShellTraits {
  /** Whether the text itself says where arguments belong. */
  usesParameters: boolean
  hasComment: boolean
  hasHereDocument: boolean
  /** Whether texts are nested, so that {@link ShellTraits.endsInside} is only a guess. */
  hasNesting: boolean
  /** The quote, group or expansion that is still open at the end. */
  endsInside: 'quote' | 'group' | undefined
}

const noTraits = (): ShellTraits => ({
  usesParameters: false,
  hasComment: false,
  hasHereDocument: false,
  hasNesting: false,
  endsInside: undefined,
})

/** The names of an expansion, while it is read. */
interface Found {
  readonly names: Set<string>
  readonly evaluated: Set<string>
  /** Whether the text is arithmetic. */
  readonly isArithmetic: boolean
}

/** Reads the commands up to a parenthesis that closes a substitution, or to the end. */
export type ReadCommands = (reader: ShellReader, end?: ')') => Expansion['commands']

/**
 * Reads words and expansions of a shell text, at a place in it. Runs nothing.
 *
 * @see POSIX, Shell Command Language, sections 2.2 and 2.6
 */
export class ShellReader {
  readonly text: string
  at = 0
  readonly traits: ShellTraits
  /** How many bodies of functions the place is in. */
  functions = 0
  readonly #readCommands: ReadCommands
  #depth: number

  constructor(
    text: string,
    readCommands: ReadCommands,
    depth = 0,
    traits: ShellTraits = noTraits(),
  ) {
    this.text = text
    this.#readCommands = readCommands
    this.#depth = depth
    this.traits = traits
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

  /** Notes that the text ends before something is closed. */
  leaveOpen(what: 'quote' | 'group'): void {
    if (this.traits.endsInside !== 'quote') this.traits.endsInside = what
  }

  /** Whether the word that is being read ends here. */
  isWordEnd(): boolean {
    return this.isAtEnd || /[\s;&|<>()]/.test(this.peek())
  }

  /** Reads a word, or the part of it before `(`. */
  readWord(): ShellWord {
    const start = this.at
    let literal = ''
    let isQuoted = false
    let mayVanish = true
    const expansions: Expansion[] = []
    while (!this.isWordEnd()) {
      const character = this.peek()
      if (character === '\\' && this.peek(1) === '\n') {
        this.at += 2
        continue
      }
      const expansion = this.#startsQuote() ? undefined : this.readExpansion(false)
      if (expansion !== undefined) {
        expansions.push(expansion)
        continue
      }
      mayVanish = false
      isQuoted ||= this.#startsQuote()
      literal += this.#readText(expansions)
    }
    return {
      text: this.text.slice(start, this.at).replaceAll('\\\n', ''),
      literal: expansions.length > 0 ? undefined : literal,
      isQuoted,
      mayVanish,
      expansions,
    }
  }

  #startsQuote(): boolean {
    return this.match(/\\|\$?['"]/y) !== undefined
  }

  /** Reads a quoted text, or one plain character. */
  #readText(expansions: Expansion[]): string {
    const quote = this.match(/\$?['"]/y)
    if (quote?.endsWith("'")) return this.#readSingle(quote)
    if (quote !== undefined) {
      this.at += quote.length
      return this.#readDouble(expansions)
    }
    if (this.peek() === '\\') this.at += 1
    this.at += 1
    return this.text.charAt(this.at - 1)
  }

  /** In `$'…'`, a backslash keeps a quote. */
  #readSingle(quote: string): string {
    const start = this.at + quote.length
    if (quote !== "'") this.#skipUntil("'", start)
    else {
      const end = this.text.indexOf("'", start)
      if (end < 0) this.leaveOpen('quote')
      this.at = end < 0 ? this.text.length + 1 : end + 1
    }
    return this.text.slice(start, this.at - 1)
  }

  /** Skips up to the character that ends a quote, and it. */
  #skipUntil(quote: string, start: number): void {
    this.at = start
    while (!this.isAtEnd && this.peek() !== quote) this.at += this.peek() === '\\' ? 2 : 1
    if (this.isAtEnd) this.leaveOpen('quote')
    this.at = Math.min(this.at, this.text.length) + 1
  }

  #readDouble(expansions: Expansion[]): string {
    let literal = ''
    while (!this.isAtEnd && this.peek() !== '"') {
      if (this.peek() === '\\' && /[\\"$`\n]/.test(this.peek(1))) {
        if (this.peek(1) !== '\n') literal += this.peek(1)
        this.at += 2
        continue
      }
      const expansion = this.readExpansion(true)
      if (expansion !== undefined) {
        expansions.push(expansion)
        continue
      }
      literal += this.peek()
      this.at += 1
    }
    if (this.isAtEnd) this.leaveOpen('quote')
    this.at += 1
    return literal
  }

  /** Reads an expansion; `undefined` if there is none here. */
  readExpansion(isQuoted: boolean): Expansion | undefined {
    const start = this.at
    const found = { names: new Set<string>(), evaluated: new Set<string>(), isArithmetic: false }
    const read = this.#readInto(found, isQuoted)
    if (read === undefined) return undefined
    const { names, evaluated } = found
    return { written: this.text.slice(start, this.at), isQuoted, names, evaluated, ...read }
  }

  #readInto(found: Found, isQuoted: boolean): Pick<Expansion, 'kind' | 'commands'> | undefined {
    if (this.peek() === '`') return this.#readBackquotes(found, isQuoted)
    if (this.peek() !== '$') return undefined
    if (this.peek(1) === '(') {
      const isArithmetic = this.peek(2) === '(' && this.#readArithmetic(found)
      if (isArithmetic) return { kind: 'arithmetic', commands: [] }
      return this.#readSubstitution(found)
    }
    if (this.peek(1) === '{') {
      this.traits.hasNesting = true
      this.at += 2
      this.#deeper(() => this.#readBraces(found, isQuoted))
      return { kind: 'parameter', commands: [] }
    }
    this.at += 1
    const name = this.match(parameterName)
    if (name === undefined) {
      this.at -= 1
      return undefined
    }
    this.at += name.length
    if (/^[1-9@*]/.test(name)) this.traits.usesParameters = true
    this.#note(name, found)
    return { kind: 'parameter', commands: [] }
  }

  #note(written: string, { names, evaluated, isArithmetic }: Found): void {
    if (harmless.has(written)) return
    let name = written
    if (this.functions > 0 && /^[@*]$/.test(written)) name = functionParameters
    else if (this.functions > 0 && /^[1-9]/.test(written)) name = functionParameter
    names.add(name)
    if (isArithmetic) evaluated.add(name)
  }

  #deeper(read: () => void): void {
    this.#depth += 1
    if (this.#depth > deepest) {
      this.at = this.text.length
      this.leaveOpen('group')
    } else read()
    this.#depth -= 1
  }

  #readSubstitution(found: Found): Pick<Expansion, 'kind' | 'commands'> {
    let commands: Expansion['commands'] = []
    this.traits.hasNesting = true
    this.at += 2
    this.#deeper(() => {
      commands = this.#readCommands(this, ')')
    })
    return this.#substitutionOf(commands, found)
  }

  /** Backslashes are removed from the text before a shell reads it. */
  #readBackquotes(found: Found, isQuoted: boolean): Pick<Expansion, 'kind' | 'commands'> {
    let commands: Expansion['commands'] = []
    this.traits.hasNesting = true
    const start = this.at + 1
    this.#skipUntil('`', start)
    const escaped = this.text.slice(start, this.at - 1)
    const text = escaped.replace(isQuoted ? /\\([`$"\\])/g : /\\([`$\\])/g, '$1')
    const inner = new ShellReader(text, this.#readCommands, this.#depth, this.traits)
    inner.functions = this.functions
    inner.#deeper(() => {
      commands = this.#readCommands(inner)
    })
    return this.#substitutionOf(commands, found)
  }

  /** The expansion of commands that were read outside of a word. */
  substitutionOf(commands: Expansion['commands'], start: number): Expansion {
    const found = { names: new Set<string>(), evaluated: new Set<string>(), isArithmetic: false }
    const read = this.#substitutionOf(commands, found)
    const written = this.text.slice(start, this.at)
    return { written, isQuoted: true, names: found.names, evaluated: found.evaluated, ...read }
  }

  #substitutionOf(
    commands: Expansion['commands'],
    found: Found,
  ): Pick<Expansion, 'kind' | 'commands'> {
    for (const one of commands.flatMap(expansionsOf)) this.#noteAll(one, found)
    return { kind: 'command', commands }
  }

  #noteAll(inner: Pick<Expansion, 'names' | 'evaluated'>, found: Found): void {
    for (const name of inner.names) {
      found.names.add(name)
      if (found.isArithmetic) found.evaluated.add(name)
    }
    for (const name of inner.evaluated) found.evaluated.add(name)
  }

  /**
   * Reads arithmetic, which also evaluates variables that are named without a dollar sign. Returns `false`, at the same place,
   * if its end shows that it is a substitution that begins with a group.
   */
  #readArithmetic(outer: Found): boolean {
    const start = this.at
    const found = { ...outer, isArithmetic: true }
    this.traits.hasNesting = true
    this.at += 3
    const endsInside = this.traits.endsInside
    this.#deeper(() => this.#readArithmeticUntil(found, '(', ')', 2))
    if (this.text.slice(this.at - 2, this.at) === '))') return true
    this.at = start
    this.traits.endsInside = endsInside
    return false
  }

  /** Reads up to the last of the closing brackets. */
  #readArithmeticUntil(found: Found, opening: string, closing: string, count: number): void {
    let open = count
    while (!this.isAtEnd && open > 0) {
      const name = this.match(variableName)
      if (name !== undefined) {
        this.#note(name, found)
        this.at += name.length
      } else if (!this.#readNested(found, false)) {
        if (this.peek() === opening) open += 1
        if (this.peek() === closing) open -= 1
        this.at += 1
      }
    }
    if (open > 0) this.leaveOpen('group')
  }

  #readBraces(found: Found, isQuoted: boolean): void {
    const isLength = this.peek() === '#' && this.peek(1) !== '}'
    const isIndirect = this.peek() === '!'
    if (isLength || isIndirect) this.at += 1
    const name = this.match(bracedName) ?? ''
    this.at += name.length
    if (/^[1-9]/.test(name) || (!isLength && /^[@*]/.test(name))) this.traits.usesParameters = true
    const isAlternative = this.match(/:?\+/y) !== undefined
    if (name !== '' && !isLength && !isAlternative) {
      this.#note(name, isIndirect ? { ...found, isArithmetic: true } : found)
    }
    const index = this.match(/\[[@*]?/y)
    if (index !== undefined) {
      this.at += index.length
      this.#readArithmeticUntil({ ...found, isArithmetic: true }, '[', ']', 1)
    }
    // `${x:1:2}`
    const isSlice = this.match(/:(?![-=?+])/y) !== undefined
    // In quotes, only patterns have quotes of their own.
    const hasQuotes = !isQuoted || this.match(/:?[-=?+]/y) === undefined
    const inner = isSlice ? { ...found, isArithmetic: true } : found
    while (!this.isAtEnd && this.peek() !== '}') {
      const variable = isSlice ? this.match(variableName) : undefined
      if (variable !== undefined) {
        this.#note(variable, inner)
        this.at += variable.length
      } else if (!this.#readNested(inner, hasQuotes)) this.at += 1
    }
    if (this.isAtEnd) this.leaveOpen('group')
    this.at += 1
  }

  /** Reads an escaped character, a quoted text or an expansion inside of another expansion. */
  #readNested(found: Found, hasQuotes: boolean): boolean {
    const character = this.peek()
    if (character === '\\') {
      this.at += 2
      return true
    }
    if (character === '"' || (character === "'" && hasQuotes)) {
      const expansions: Expansion[] = []
      this.#readText(expansions)
      for (const one of expansions) this.#noteAll(one, found)
      return true
    }
    return this.#readInto(found, true) !== undefined
  }
}
