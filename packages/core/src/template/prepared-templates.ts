import type { Template, Templates } from './node.ts'

/** A template that is ready to run, with the templates it may call. */
export interface PreparedTemplate {
  readonly template: Template
  readonly templates: Templates
}

/** How many are kept, and how long their keys may be together. */
const mostKept = 500
const mostKeptLength = 2_000_000

/** Keeps what was prepared last. */
export class PreparedTemplates {
  readonly #kept = new Map<string, PreparedTemplate>()
  #length = 0

  /** What was prepared for a key; what is not kept is prepared now. */
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
      if (this.#kept.size <= mostKept && this.#length <= mostKeptLength) break
      this.#kept.delete(oldest)
      this.#length -= oldest.length
    }
    return prepared
  }
}
