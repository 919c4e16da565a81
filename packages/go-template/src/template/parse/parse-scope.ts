/** The names of the variables in scope. */
export class ParseScope {
  readonly #names: string[] = []
  /** The number of declarations of each name. */
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

  /** The number of declarations. {@link leave} removes later ones. */
  mark(): number {
    return this.#names.length
  }

  leave(mark: number): void {
    for (const name of this.#names.splice(mark)) {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
    }
  }
}
