/** The names of variables that are declared at a place of a template. */
export class ParseScope {
  readonly #names: string[] = []
  /** How often each name is declared. */
  readonly #counts = new Map<string, number>()

  constructor() {
    this.declare('$')
  }

  declare(name: string): void {
    this.#names.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0
  }

  /** How many there are: {@link leave} forgets those declared later. */
  mark(): number {
    return this.#names.length
  }

  leave(mark: number): void {
    for (const name of this.#names.splice(mark)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    }
  }
}
