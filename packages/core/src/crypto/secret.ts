const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

/** The text printed in place of a secret. */
export const secretMask = '<secret>'

/**
 * A text that is only readable through `reveal()`. As a string, as JSON and in the console it is its mask: {@link secretMask}, or
 * for a URL the same URL without its password.
 */
export class Secret {
  readonly #value: string
  readonly #mask: string

  constructor(value: string, mask: string = secretMask) {
    this.#value = value
    this.#mask = mask
    Object.defineProperty(this, inspectSymbol, { value: () => this.#mask })
  }

  /** The text itself. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return this.#mask
  }

  toJSON(): string {
    return this.#mask
  }
}
