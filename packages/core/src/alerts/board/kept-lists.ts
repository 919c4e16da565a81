import type { Clock, Instant } from '../../time/clock.ts'
import type { AlertEntry } from './alert-entry.ts'
import { type AlertTimes, type TimePlace, writeTimes } from './alert-times.ts'

/** A rendered list. Readers share it, so its bytes must not change. */
export type ListBytes = Uint8Array<ArrayBuffer>

/** A list that was just rendered. */
export interface RenderedList {
  bytes: ListBytes
  /**
   * Where the times of each of its alerts are; an empty list for times that cannot be replaced. Without places, no times of the
   * list can be replaced.
   */
  readonly places?: ReadonlyMap<AlertEntry, readonly TimePlace[]>
}

/** Rendered lists, kept while they are current: equal questions share one. */
export interface KeptLists {
  /**
   * Returns the list that answers a question, and renders it if no current one is kept. Call it right after the refresh that
   * returned `now`.
   *
   * @param question serialized as JSON, so that equal questions have equal texts.
   */
  get(question: unknown, now: Instant, render: () => Promise<RenderedList>): Promise<ListBytes>
  /** Replaces the times of an alert in the lists that show it. Lists that readers have got stay as they are. */
  setTimes(entry: AlertEntry, times: AlertTimes): void
  /** Drops all lists if none was read for two minutes. Returns whether some may be read again soon. */
  dropUnread(): boolean
}

/** Options of {@link createKeptLists}. */
export interface KeptListsOptions {
  clock: Clock
  /** Changes whenever a list may change for another reason than the time and {@link KeptLists.setTimes}. */
  version(): number
  /** The first instant after `now` at which a list may change although the version does not. */
  changesAfter(now: Instant): Instant
}

/** The most bytes of lists that are kept after their readers have them. */
const maxBytes = 32 * 1024 * 1024
/** How long unread lists are kept. */
const unreadMs = 120_000

interface KeptList {
  readonly from: Instant
  /** Exclusive. */
  readonly until: Instant
  bytes: Promise<ListBytes>
  /** `undefined` while it is rendered. */
  rendered: RenderedList | undefined
  /** Whether a reader has its bytes. */
  isShared: boolean
}

/** Creates an empty {@link KeptLists}. */
export function createKeptLists(options: KeptListsOptions): KeptLists {
  const { clock, version, changesAfter } = options
  const kept = new Map<string, KeptList>()
  let keptVersion = version()
  let readAt = Number.NEGATIVE_INFINITY

  const dropOutdated = (): void => {
    const current = version()
    if (current !== keptVersion) kept.clear()
    keptVersion = current
  }

  /** Drops the oldest lists while all together are too large. */
  const trim = (): void => {
    let bytes = 0
    for (const { rendered } of kept.values()) bytes += rendered?.bytes.length ?? 0
    for (const [key, { rendered }] of kept) {
      if (bytes <= maxBytes) return
      bytes -= rendered?.bytes.length ?? 0
      kept.delete(key)
    }
  }

  const add = (key: string, now: Instant, rendering: Promise<RenderedList>): KeptList => {
    const one: KeptList = {
      from: now,
      until: changesAfter(now),
      bytes: rendering.then(({ bytes }) => bytes),
      rendered: undefined,
      isShared: true,
    }
    kept.delete(key)
    kept.set(key, one)
    rendering.then(
      (rendered) => {
        one.rendered = rendered
        trim()
      },
      () => {
        if (kept.get(key) === one) kept.delete(key)
      },
    )
    return one
  }

  return {
    get(question, now, render) {
      dropOutdated()
      readAt = clock.monotonic()
      const key = JSON.stringify(question)
      const known = kept.get(key)
      const isCurrent = known !== undefined && known.from <= now && now < known.until
      const one = isCurrent ? known : add(key, now, render())
      one.isShared = true
      return one.bytes
    },

    setTimes(entry, times) {
      dropOutdated()
      for (const [key, one] of kept) if (!replaceTimes(one, entry, times)) kept.delete(key)
    },

    dropUnread() {
      if (clock.monotonic() - readAt < unreadMs) return true
      kept.clear()
      return false
    },
  }
}

/** Replaces the times of an alert in a list, unless it does not show the alert. Returns whether the list is current then. */
function replaceTimes(one: KeptList, entry: AlertEntry, times: AlertTimes): boolean {
  const { rendered } = one
  if (rendered?.places === undefined) return false
  const places = rendered.places.get(entry)
  if (places === undefined) return true
  if (one.isShared) {
    rendered.bytes = new Uint8Array(rendered.bytes)
    one.bytes = Promise.resolve(rendered.bytes)
    one.isShared = false
  }
  for (const place of places) writeTimes(rendered.bytes, place, times)
  return places.length > 0
}
