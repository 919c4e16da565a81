import type { RouteHeaders } from '@gatehouse/core/adapter'

/** The headers of a request as Node keeps them. Creating standard `Headers` takes longer than looking for a few. */
export class RawHeaders implements RouteHeaders {
  /** Alternating names and values. */
  readonly #lines: readonly string[]
  /** In lower case, on first use. */
  #names: readonly string[] | undefined

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get(name: string): string | null {
    this.#names ??= namesOf(this.#lines)
    const wanted = name.toLowerCase()
    let found: string | null = null
    for (let index = 0; index < this.#names.length; index++) {
      if (this.#names[index] !== wanted) continue
      const value = this.#lines[2 * index + 1] ?? ''
      // Cookies are joined as in a single header.
      found = found === null ? value : `${found}${wanted === 'cookie' ? '; ' : ', '}${value}`
    }
    return found
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    this.#names ??= namesOf(this.#lines)
    for (const [index, name] of this.#names.entries())
      yield [name, this.#lines[2 * index + 1] ?? '']
  }
}

function namesOf(lines: readonly string[]): readonly string[] {
  const names: string[] = []
  for (let at = 0; at + 1 < lines.length; at += 2) names.push((lines[at] ?? '').toLowerCase())
  return names
}
