/** The headers of a request as they came, read like standard `Headers`: to make those takes longer than to look for a few. */
export class RawHeaders implements Pick<Headers, 'get' | 'has'> {
  /** Names and values by turns. */
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase()
    let found: string | null = null
    for (let at = 0; at + 1 < this.#lines.length; at += 2) {
      const line = this.#lines[at] ?? ''
      if (line.length !== wanted.length || line.toLowerCase() !== wanted) continue
      const value = this.#lines[at + 1] ?? ''
      // Cookies are joined as they stand in one header.
      found = found === null ? value : `${found}${wanted === 'cookie' ? '; ' : ', '}${value}`
    }
    return found
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }
}
