import { Lexer } from './lexer.ts'
import type { Token } from './token.ts'

/** Reads tokens. Up to three of them can be put back. */
export class TokenReader {
  readonly #lexer: Lexer
  /** The tokens put back, in reverse order. */
  readonly #pending: Token[] = []
  #lastRead: Token

  constructor(text: string) {
    this.#lexer = new Lexer(text)
    this.#lastRead = { kind: 'eof', pos: 0, text: '', line: 1 }
  }

  /** The current line. */
  get line(): number {
    return this.#lastRead.line
  }

  /** Reads the next token. */
  next(): Token {
    const pending = this.#pending.pop()
    if (pending !== undefined) return pending
    this.#lastRead = this.#lexer.next()
    return this.#lastRead
  }

  /** Reads the next token that is not a blank, and the blanks before it. */
  nextNonSpace(): Token {
    let token = this.next()
    while (token.kind === 'space') token = this.next()
    return token
  }

  /** Returns the next token without consuming it. */
  peek(): Token {
    const token = this.next()
    this.#pending.push(token)
    return token
  }

  /** Returns the next token that is not a blank, without consuming it. Consumes the blanks before it. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace()
    this.#pending.push(token)
    return token
  }

  /** Puts back tokens that were just read, given in their original order. */
  putBack(...tokens: readonly Token[]): void {
    this.#pending.push(...tokens.toReversed())
  }
}
