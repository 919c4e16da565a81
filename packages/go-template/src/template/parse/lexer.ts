import { goQuote } from '../../text/quote.ts'
import { describeCharacter } from '../code-point.ts'
import { type Token, type TokenKind, words } from './token.ts'

const left = '{{'
const right = '}}'
const leftComment = '/*'
const rightComment = '*/'

const blanks = /[ \t\r\n]*/y
const word = /[\p{L}\p{Nd}_]*/uy
const number =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y

const isSpace = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\r' || character === '\n'

/** Single characters that are tokens by themselves. */
const signs: ReadonlyMap<string, TokenKind> = new Map([
  ['=', 'assign'],
  ['|', 'pipe'],
])

/**
 * Splits a template's text into tokens, one at a time. An error in the text is a token too, the last one.
 *
 * @see https://pkg.go.dev/text/template#hdr-Text_and_spaces
 */
export class Lexer {
  readonly #text: string
  #pos = 0
  /** The start of the current token, and its line. */
  #start = 0
  #startLine = 1
  /** The index of the first line end that is not counted yet; -1 if there is none. */
  #lineEnd: number
  #isInAction = false
  #parens = 0

  constructor(text: string) {
    this.#text = text
    this.#lineEnd = text.indexOf('\n')
  }

  /** The next token; at the end always `eof`. */
  next(): Token {
    return this.#isInAction ? this.#nextInAction() : this.#nextText()
  }

  #nextText(): Token {
    for (;;) {
      const open = this.#text.indexOf(left, this.#pos)
      if (open < 0) {
        this.#pos = this.#text.length
        return this.#token(this.#start < this.#pos ? 'text' : 'eof')
      }
      const isTrimmed = this.#isLeftTrim(open + left.length)
      this.#pos = isTrimmed ? this.#withoutBlanks(open) : open
      if (this.#pos > this.#start) {
        const text = this.#token('text')
        this.#skipTo(open)
        return text
      }
      this.#skipTo(open)
      const afterMarker = open + left.length + (isTrimmed ? 2 : 0)
      if (!this.#text.startsWith(leftComment, afterMarker)) return this.#openAction(afterMarker)
      const problem = this.#skipComment(afterMarker)
      if (problem !== undefined) return problem
    }
  }

  /** The end of the text before `end` without trailing blanks. */
  #withoutBlanks(end: number): number {
    let at = end
    while (at > this.#start && isSpace(this.#text.charAt(at - 1))) at -= 1
    return at
  }

  #openAction(afterMarker: number): Token {
    this.#pos += left.length
    const token = this.#token('leftDelimiter')
    this.#skipTo(afterMarker)
    this.#isInAction = true
    this.#parens = 0
    return token
  }

  /** Skips `/* … *\/ }}`; returns the error if it is invalid. */
  #skipComment(at: number): Token | undefined {
    this.#skipTo(at)
    const end = this.#text.indexOf(rightComment, at + leftComment.length)
    if (end < 0) return this.#error('unclosed comment')
    this.#pos = end + rightComment.length
    const width = this.#rightDelimiterWidth()
    if (width === 0) return this.#error('comment ends before closing delimiter')
    this.#pos += width
    if (width > right.length) this.#match(blanks)
    this.#skipTo(this.#pos)
    return undefined
  }

  #nextInAction(): Token {
    const width = this.#rightDelimiterWidth()
    if (width > 0) return this.#parens > 0 ? this.#error('unclosed left paren') : this.#close(width)
    if (this.#pos >= this.#text.length) return this.#error('unclosed action')
    const character = this.#text.charAt(this.#pos)
    if (isSpace(character)) return this.#space()
    const sign = signs.get(character)
    if (sign !== undefined) return this.#sign(sign, 1)
    if (/[\d+-]/.test(character)) return this.#number()
    switch (character) {
      case ':':
        if (this.#text.startsWith(':=', this.#pos)) return this.#sign('declare', 2)
        return this.#error('expected :=')
      case '"':
        return this.#quoted('string', 'unterminated quoted string')
      case "'":
        return this.#quoted('charConstant', 'unterminated character constant')
      case '`':
        return this.#rawString()
      case '$':
        return this.#name('variable')
      case '.':
        // At the end of the text Go treats a dot as the start of a number.
        return /^(?:\d|$)/.test(this.#text.charAt(this.#pos + 1))
          ? this.#number()
          : this.#name('field')
      case '(':
        this.#parens += 1
        return this.#sign('leftParen', 1)
      case ')':
        this.#parens -= 1
        return this.#parens < 0
          ? this.#error('unexpected right paren')
          : this.#sign('rightParen', 1)
      default:
        return this.#wordOrCharacter()
    }
  }

  #sign(kind: TokenKind, width: number): Token {
    this.#pos += width
    return this.#token(kind)
  }

  #close(width: number): Token {
    this.#skipTo(this.#pos + width - right.length)
    this.#pos += right.length
    const token = this.#token('rightDelimiter')
    if (width > right.length) this.#match(blanks)
    this.#skipTo(this.#pos)
    this.#isInAction = false
    return token
  }

  /** Reads blanks. The last one may belong to a trim marker. */
  #space(): Token {
    this.#match(blanks)
    const beforeLast = this.#pos - 1
    if (this.#text.startsWith(`-${right}`, this.#pos)) {
      if (beforeLast === this.#start) {
        this.#pos = beforeLast
        return this.#close(2 + right.length)
      }
      this.#pos = beforeLast
    }
    return this.#token('space')
  }

  /** Reads a token between two of the current character, in one line. */
  #quoted(kind: TokenKind, problem: string): Token {
    const quote = this.#text.charAt(this.#pos)
    for (let at = this.#pos + 1; ; at++) {
      let character = this.#text.charAt(at)
      if (character === quote) {
        this.#pos = at + 1
        return this.#token(kind)
      }
      if (character === '\\') {
        at += 1
        character = this.#text.charAt(at)
      }
      if (character === '' || character === '\n') return this.#error(problem)
    }
  }

  #rawString(): Token {
    const end = this.#text.indexOf('`', this.#pos + 1)
    if (end < 0) return this.#error('unterminated raw quoted string')
    return this.#sign('rawString', end + 1 - this.#pos)
  }

  #number(): Token {
    const isComplete = this.#match(number) && !this.#takeWordCharacter()
    if (!isComplete) return this.#badNumber()
    if (!/[+-]/.test(this.#text.charAt(this.#pos))) return this.#token('number')
    // Reads the imaginary part of a complex constant.
    const isComplex = this.#match(number) && !this.#takeWordCharacter()
    return isComplex && this.#text.charAt(this.#pos - 1) === 'i'
      ? this.#token('complex')
      : this.#badNumber()
  }

  #badNumber(): Token {
    return this.#error(`bad number syntax: ${goQuote(this.#text.slice(this.#start, this.#pos))}`)
  }

  #takeWordCharacter(): boolean {
    const character = this.#characterAt(this.#pos)
    if (!/^[\p{L}\p{Nd}_]/u.test(character)) return false
    this.#pos += character.length
    return true
  }

  /** Reads a field or variable, or a single dot or dollar sign. */
  #name(kind: 'field' | 'variable'): Token {
    this.#pos += 1
    if (this.#isAtTerminator()) return this.#token(kind === 'field' ? 'dot' : kind)
    this.#match(word)
    return this.#isAtTerminator() ? this.#token(kind) : this.#badCharacter()
  }

  #wordOrCharacter(): Token {
    const start = this.#pos
    this.#match(word)
    if (this.#pos > start) {
      if (!this.#isAtTerminator()) return this.#badCharacter()
      return this.#token(words.get(this.#text.slice(start, this.#pos)) ?? 'identifier')
    }
    const character = this.#characterAt(start)
    if (!/[!-~]/.test(character)) {
      return this.#error(`unrecognized character in action: ${describeCharacter(character)}`)
    }
    return this.#sign('character', 1)
  }

  #badCharacter(): Token {
    return this.#error(`bad character ${describeCharacter(this.#characterAt(this.#pos))}`)
  }

  #isAtTerminator(): boolean {
    const character = this.#text.charAt(this.#pos)
    if (character === '' || isSpace(character) || '.,|:)('.includes(character)) return true
    return this.#text.startsWith(right, this.#pos)
  }

  /** The width of the right delimiter here, including its trim marker; 0 if there is none. */
  #rightDelimiterWidth(): number {
    if (this.#text.startsWith(right, this.#pos)) return right.length
    if (!isSpace(this.#text.charAt(this.#pos))) return 0
    return this.#text.startsWith(`-${right}`, this.#pos + 1) ? 2 + right.length : 0
  }

  #isLeftTrim(at: number): boolean {
    return this.#text.charAt(at) === '-' && isSpace(this.#text.charAt(at + 1))
  }

  #characterAt(at: number): string {
    return String.fromCodePoint(this.#text.codePointAt(at) ?? 0)
  }

  /** Moves past a match of the pattern at this position. */
  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#pos
    if (!pattern.test(this.#text)) return false
    this.#pos = pattern.lastIndex
    return true
  }

  #token(kind: TokenKind): Token {
    const token = {
      kind,
      pos: this.#start,
      text: this.#text.slice(this.#start, this.#pos),
      line: this.#startLine,
    }
    this.#skipTo(this.#pos)
    return token
  }

  #error(message: string): Token {
    return { kind: 'error', pos: this.#start, text: message, line: this.#startLine }
  }

  /** Moves the start of the next token to a later position, and counts the lines up to it. */
  #skipTo(at: number): void {
    while (this.#lineEnd >= 0 && this.#lineEnd < at) {
      this.#startLine += 1
      this.#lineEnd = this.#text.indexOf('\n', this.#lineEnd + 1)
    }
    this.#start = at
    this.#pos = at
  }
}
