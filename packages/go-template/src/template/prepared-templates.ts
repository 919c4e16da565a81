import type { Template, Templates } from './node.ts'

/** A template that is ready to run, with the templates it may call. */
export interface PreparedTemplate {
  readonly template: Template
  readonly templates: Templates
}

/** The most entries in the cache, and the most characters of all keys. */
const maxKept = 500
const maxKeptLength = 2_000_000

/** Caches the most recently prepared templates. */
export class PreparedTemplates {
  readonly #kept = new Map<string, PreparedTemplate>()
  #length = 0

  /** Returns the template for a key, preparing it if it is not cached. */
  get(key: string, prepare: () => PreparedTemplate): PreparedTemplate {
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const prepared = prepare()
    this.#kept.set(key, prepared)
    this.#length += key.length
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept && this.#length <= maxKeptLength) break
      this.#kept.delete(oldest)
      this.#length -= oldest.length
    }
    return prepared
  }
}
