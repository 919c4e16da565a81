/** Those who wait, in the order of their coming. Anybody may leave at any time, at a cost that does not grow with the line. */
export interface WaitingLine<T> {
  readonly size: number
  /** Who came first of those who wait. */
  first(): T | undefined
  /** Takes a place at the end, under an id that nobody in the line has. */
  add(id: string, item: T): void
  /** Whether somebody with this id has waited. */
  remove(id: string): boolean
  /** All who wait. */
  ids(): readonly string[]
}

interface Place<T> {
  readonly item: T
  hasLeft: boolean
}

/** So many places of those who have left are kept at most, beside as many as there are others. */
const mostLeft = 1_000

/** Nobody waits. */
export function createWaitingLine<T>(): WaitingLine<T> {
  const places = new Map<string, Place<T>>()
  // The first key of a map is found behind all that were deleted before it, which in a long line are thousands.
  let line: Place<T>[] = []
  let at = 0

  const first = (): Place<T> | undefined => {
    while (line[at]?.hasLeft) at++
    return line[at]
  }

  return {
    get size() {
      return places.size
    },

    first: () => first()?.item,

    add(id, item) {
      const place = { item, hasLeft: false }
      places.set(id, place)
      line.push(place)
    },

    remove(id) {
      const place = places.get(id)
      if (place === undefined) return false
      place.hasLeft = true
      places.delete(id)
      if (line.length > 2 * places.size + mostLeft) {
        line = [...places.values()]
        at = 0
      }
      return true
    },

    ids: () => [...places.keys()],
  }
}
