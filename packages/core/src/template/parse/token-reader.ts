import { Lexer } from './lexer.ts'
import type { Token } from './token.ts'

/** Reads tokens and lets up to three of them be put back. */
export class TokenReader {
  readonly #lexer: Lexer
  /** What was put back, the next one last. */
  readonly #pending: Token[] = []
  #lastRead: Token

  constructor(text: string) {
    this.#lexer = new Lexer(text)
    this.#lastRead = { kind: 'eof', pos: 0, text: '', line: 1 }
  }

  /** The line that has been read up to. */
  get line(): number {
    return this.#lastRead.line
  }

  /** Takes the next token. */
  next(): Token {
    const pending = this.#pending.pop()
    if (pending !== undefined) return pending
    this.#lastRead = this.#lexer.next()
    return this.#lastRead
  }

  /** Takes the next token that is no blank, and the blanks before it. */
  nextNonSpace(): Token {
    let token = this.next()
    while (token.kind === 'space') token = this.next()
    return token
  }

  /** The next token, which stays. */
  peek(): Token {
    const token = this.next()
    this.#pending.push(token)
    return token
  }

  /** The next token that is no blank, which stays; the blanks before it are taken. */
  peekNonSpace(): Token {
    const token = this.nextNonSpace()
    this.#pending.push(token)
    return token
  }

  /** Puts tokens back that were just taken, in the order in which they stand. */
  putBack(...tokens: readonly Token[]): void {
    this.#pending.push(...tokens.toReversed())
  }
}
