import { type AlertEntry, byFingerprint } from './alert-entry.ts'

/** Firing alerts by fingerprint, sorted when they are read. */
export interface FiringList {
  /** Adds an alert that has started to fire. */
  add(entry: AlertEntry): void
  /** Notes that an alert has stopped firing. */
  noteLeft(): void
  /** Removes alerts that have left, if there are many. If the list is not read, this is the only place that does. */
  trim(): void
  all(): readonly AlertEntry[]
  /** Those of the given alerts that still fire, in the order of the list. */
  among(found: readonly AlertEntry[]): readonly AlertEntry[]
}

/** Creates an empty list. `firing` are the alerts that fire now. */
export function createFiringList(firing: ReadonlyMap<string, AlertEntry>): FiringList {
  /** Without those in `entered`, and including those that have left since. */
  let sorted: AlertEntry[] = []
  let entered: AlertEntry[] = []
  let someLeft = false

  const isIn = (entry: AlertEntry): boolean => firing.get(entry.fingerprint) === entry

  const all = (): readonly AlertEntry[] => {
    if (someLeft) {
      sorted = sorted.filter(isIn)
      entered = entered.filter(isIn)
      someLeft = false
    }
    if (entered.length > 0) {
      sorted = mergeSorted(sorted, entered.sort(byFingerprint))
      entered = []
    }
    return sorted
  }

  return {
    add(entry) {
      entered.push(entry)
    },

    noteLeft() {
      someLeft = true
    },

    trim() {
      if (someLeft && entered.length + sorted.length > 2 * firing.size + 1_000) all()
    },

    all,

    among(found) {
      const list = all()
      if (found.length * 8 < list.length) return found.filter(isIn).sort(byFingerprint)
      const chosen = new Set(found)
      return list.filter((entry) => chosen.has(entry))
    },
  }
}

/** Merges two lists that ascend by fingerprint and have no alert in common. */
function mergeSorted(a: readonly AlertEntry[], b: readonly AlertEntry[]): AlertEntry[] {
  const merged: AlertEntry[] = []
  let i = 0
  for (const right of b) {
    for (let left = a[i]; left !== undefined && byFingerprint(left, right) < 0; left = a[i]) {
      merged.push(left)
      i++
    }
    merged.push(right)
  }
  return merged.concat(a.slice(i))
}
