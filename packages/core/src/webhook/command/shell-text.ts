/** A part of a shell text outside of groups, quotes and expansions. */
export type ShellToken =
  /** As written, with quotes; `mayVanish` if it consists of expansions, which can be empty. */
  | { readonly kind: 'word'; readonly text: string; readonly mayVanish: boolean }
  | { readonly kind: 'redirection' }
  /** The end of a command. */
  | { readonly kind: 'separator' }
  /** Commands in parentheses. */
  | { readonly kind: 'group' }

/** The parts of a shell text that matter for adding arguments. */
export interface ShellText {
  readonly tokens: readonly ShellToken[]
  /** Whether the text itself says where arguments belong. */
  readonly usesParameters: boolean
  readonly hasComment: boolean
  readonly hasHereDocument: boolean
  /** Whether texts are nested, so that {@link ShellText.endsInside} is only a guess. */
  readonly hasNesting: boolean
  /** The quote, group or expansion that is still open at the end. */
  readonly endsInside: 'quote' | 'group' | undefined
}

type Context =
  | 'substitution'
  | 'backquote'
  | 'group'
  | 'double'
  | 'braces'
  | 'arithmetic'
  | 'parenthesis'

interface HereDocument {
  readonly delimiter: string
  readonly stripsTabs: boolean
  readonly expands: boolean
}

const commandContexts: readonly Context[] = ['substitution', 'backquote', 'group']
const parameter = /\$(?:[1-9@*]|\{(?:[#!]?[1-9]|[@*]))/y
const variable = /\$(?:[A-Za-z_]\w*|[\d#?!$@*-])/y
const hereDocumentStart = /<<(?!<)(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\;&|<>()])*)/sy
const redirection = /[<>]{1,3}[&|]?/y

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

class ShellTextReader {
  readonly #text: string
  readonly #tokens: ShellToken[] = []
  readonly #open: Context[] = []
  #pending: HereDocument[] = []
  #at = 0
  #isInWord = false
  #wordStart: number | undefined
  #mayVanish = true
  #usesParameters = false
  #hasComment = false
  #hasHereDocument = false
  #hasNesting = false
  #isCutOff = false

  constructor(text: string) {
    this.#text = text
  }

  read(): ShellText {
    while (this.#at < this.#text.length) this.#readNext()
    this.#endWord()
    return {
      tokens: this.#tokens,
      usesParameters: this.#usesParameters,
      hasComment: this.#hasComment,
      hasHereDocument: this.#hasHereDocument,
      hasNesting: this.#hasNesting,
      endsInside: this.#endsInside(),
    }
  }

  #endsInside(): ShellText['endsInside'] {
    if (this.#isCutOff || this.#open.includes('double')) return 'quote'
    return this.#open.length > 0 ? 'group' : undefined
  }

  #readNext(): void {
    const character = this.#text.charAt(this.#at)
    if (character === '\\') this.#readBackslash()
    else if (character === '$') this.#readDollar()
    else if (character === '`') this.#readBackquote()
    else if (character === '"') this.#readDoubleQuote()
    else if (character === "'" && !this.#isInDouble()) this.#readSingleQuote()
    else if (this.#isInCommand()) this.#readCommand(character)
    else this.#readInside(character)
  }

  #isInCommand(): boolean {
    const context = this.#open.at(-1)
    return context === undefined || commandContexts.includes(context)
  }

  /** Whether single quotes are plain characters. A substitution in double quotes has its own quotes. */
  #isInDouble(): boolean {
    const command = this.#open.findLastIndex((context) => commandContexts.includes(context))
    return this.#open.lastIndexOf('double') > command
  }

  #startWord(isExpansion = false): void {
    this.#isInWord = true
    if (this.#open.length > 0) return
    this.#wordStart ??= this.#at
    this.#mayVanish &&= isExpansion
  }

  #endWord(): void {
    this.#isInWord = false
    if (this.#open.length > 0 || this.#wordStart === undefined) return
    const text = this.#text.slice(this.#wordStart, this.#at)
    this.#tokens.push({ kind: 'word', text, mayVanish: this.#mayVanish })
    this.#wordStart = undefined
    this.#mayVanish = true
  }

  #addToken(kind: 'redirection' | 'separator' | 'group'): void {
    if (this.#open.length === 0) this.#tokens.push({ kind })
  }

  #push(context: Context, length: number): void {
    this.#open.push(context)
    this.#at += length
  }

  #readBackslash(): void {
    const isLineBreak = this.#text.charAt(this.#at + 1) === '\n'
    if (this.#isInCommand() && !isLineBreak) this.#startWord()
    this.#at += 2
  }

  #readDollar(): void {
    const rest = this.#text.slice(this.#at + 1, this.#at + 3)
    const isNested = /^[({]/.test(rest)
    const name = matchAt(variable, this.#text, this.#at)?.[0]
    if (this.#isInCommand()) this.#startWord(isNested || name !== undefined)
    this.#usesParameters ||= matchAt(parameter, this.#text, this.#at) !== undefined
    this.#hasNesting ||= isNested
    if (rest === '((') {
      this.#push('arithmetic', 3)
    } else if (rest.startsWith('(')) {
      this.#push('substitution', 2)
      this.#isInWord = false
    } else {
      if (isNested) this.#open.push('braces')
      this.#at += isNested ? 2 : (name?.length ?? 1)
    }
  }

  #readBackquote(): void {
    this.#hasNesting = true
    const open = this.#open.lastIndexOf('backquote')
    if (open < 0) {
      if (this.#isInCommand()) this.#startWord(true)
      this.#push('backquote', 1)
      this.#isInWord = false
      return
    }
    this.#open.length = open
    this.#isInWord = true
    this.#at += 1
  }

  #readDoubleQuote(): void {
    if (this.#open.at(-1) === 'double') {
      this.#open.pop()
      this.#at += 1
      return
    }
    if (this.#isInCommand()) this.#startWord()
    this.#push('double', 1)
  }

  #readSingleQuote(): void {
    if (this.#isInCommand()) this.#startWord()
    const end = this.#text.indexOf("'", this.#at + 1)
    this.#isCutOff ||= end < 0
    this.#at = end < 0 ? this.#text.length : end + 1
  }

  /** Reads inside of double quotes, braces and arithmetic. */
  #readInside(character: string): void {
    const context = this.#open.at(-1)
    if (context === 'braces' && character === '}') this.#open.pop()
    if (context === 'arithmetic' || context === 'parenthesis') {
      if (character === '(') this.#open.push('parenthesis')
      if (character === ')') this.#open.pop()
      // Arithmetic ends with two of them.
      if (character === ')' && context === 'arithmetic') this.#at += 1
    }
    this.#at += 1
  }

  #readCommand(character: string): void {
    if (character === '\n') this.#readLineBreak()
    else if (/[ \t\r]/.test(character)) this.#pass()
    else if (/[;&|]/.test(character)) this.#separate()
    else if (/[<>]/.test(character)) this.#readRedirection()
    else if (character === '(') this.#openGroup()
    else if (character === ')') this.#closeParenthesis()
    else if (character === '#' && !this.#isInWord) this.#readComment()
    else {
      this.#startWord()
      this.#at += 1
    }
  }

  #pass(): void {
    this.#endWord()
    this.#at += 1
  }

  #separate(): void {
    this.#endWord()
    this.#addToken('separator')
    this.#at += 1
  }

  #openGroup(): void {
    this.#endWord()
    this.#push('group', 1)
  }

  #closeParenthesis(): void {
    const context = this.#open.at(-1)
    // After a pattern of `case`, no parenthesis is open.
    if (context !== 'group' && context !== 'substitution') {
      this.#separate()
      return
    }
    this.#endWord()
    this.#open.pop()
    this.#at += 1
    this.#isInWord = context === 'substitution'
    if (context === 'group') this.#addToken('group')
  }

  #readComment(): void {
    this.#hasComment = true
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #readRedirection(): void {
    // A number right before a redirection is the descriptor, not a word.
    const before = this.#text.slice(this.#wordStart ?? this.#at, this.#at)
    if (/^\d+$/.test(before)) {
      this.#wordStart = undefined
      this.#mayVanish = true
    }
    this.#endWord()
    this.#addToken('redirection')
    const start = matchAt(hereDocumentStart, this.#text, this.#at)
    if (start === undefined) {
      this.#at += matchAt(redirection, this.#text, this.#at)?.[0].length ?? 1
      return
    }
    const [whole, dash, word = ''] = start
    const delimiter = word.replace(/['"]|\\(?=.)/gs, '')
    this.#pending.push({ delimiter, stripsTabs: dash === '-', expands: delimiter === word })
    this.#hasHereDocument = true
    this.#at += whole.length
  }

  /** The content of here-documents is not shell text. */
  #readLineBreak(): void {
    this.#separate()
    for (const { delimiter, stripsTabs, expands } of this.#pending) {
      let isDelimiter = false
      while (!isDelimiter && this.#at < this.#text.length) {
        const end = this.#text.indexOf('\n', this.#at)
        const line = this.#text.slice(this.#at, end < 0 ? undefined : end)
        this.#at += line.length + 1
        isDelimiter = (stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter
        if (expands && !isDelimiter) this.#readDocumentLine(line)
      }
    }
    this.#pending = []
  }

  #readDocumentLine(line: string): void {
    const plain = line.replace(/\\./g, '')
    for (let at = plain.indexOf('$'); at >= 0; at = plain.indexOf('$', at + 1)) {
      this.#usesParameters ||= matchAt(parameter, plain, at) !== undefined
    }
  }
}

/**
 * Scans a shell text, as far as needed to know how it ends. Runs nothing, and need not be right about every text, because the
 * shell decides in the end.
 *
 * @see POSIX, Shell Command Language, sections 2.2 to 2.10
 */
export function readShellText(text: string): ShellText {
  return new ShellTextReader(text).read()
}
