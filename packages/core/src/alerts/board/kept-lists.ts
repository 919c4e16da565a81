import type { Instant } from '../../time/clock.ts'

/** A rendered list. Readers share it, so nobody changes its bytes. */
export type ListBytes = Uint8Array<ArrayBuffer>

/** Rendered lists, kept while they are current: equal questions share one. */
export interface KeptLists {
  /**
   * Returns the list that answers a question, and renders it if no current one is kept. Call it right after the refresh that
   * returned `now`.
   *
   * @param question serialized as JSON, so that equal questions have equal texts.
   */
  get(question: unknown, now: Instant, render: () => Promise<ListBytes>): Promise<ListBytes>
}

/** Options of {@link createKeptLists}. */
export interface KeptListsOptions {
  /** Changes whenever a list may change for another reason than the time. */
  version(): number
  /** The first instant after `now` at which a list may change although the version does not. */
  changesAfter(now: Instant): Instant
}

/** The most bytes of lists that are kept after their readers have them. */
const mostBytes = 32 * 1024 * 1024

interface KeptList {
  readonly from: Instant
  /** Exclusive. */
  readonly until: Instant
  readonly list: Promise<ListBytes>
  /** 0 until it is rendered. */
  byteLength: number
}

/** Creates an empty {@link KeptLists}. */
export function createKeptLists({ version, changesAfter }: KeptListsOptions): KeptLists {
  const kept = new Map<string, KeptList>()
  let keptVersion = version()

  /** Drops the oldest lists while all together are too large. */
  const trim = (): void => {
    let bytes = 0
    for (const { byteLength } of kept.values()) bytes += byteLength
    for (const [key, { byteLength }] of kept) {
      if (bytes <= mostBytes) return
      bytes -= byteLength
      kept.delete(key)
    }
  }

  const add = (key: string, one: KeptList): void => {
    kept.delete(key)
    kept.set(key, one)
    one.list.then(
      ({ byteLength }) => {
        one.byteLength = byteLength
        trim()
      },
      () => {
        if (kept.get(key) === one) kept.delete(key)
      },
    )
  }

  return {
    get(question, now, render) {
      const current = version()
      if (current !== keptVersion) kept.clear()
      keptVersion = current
      const key = JSON.stringify(question)
      const known = kept.get(key)
      if (known !== undefined && known.from <= now && now < known.until) return known.list
      const one = { from: now, until: changesAfter(now), list: render(), byteLength: 0 }
      add(key, one)
      return one.list
    },
  }
}
