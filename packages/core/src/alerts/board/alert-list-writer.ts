import { joinBytes } from '@gatehouse/go-template/json'
import { getOrCreate } from '../../async/get-or-create.ts'
import type { AlertEntry, RenderedAlert } from './alert-entry.ts'
import type { TimePlace } from './alert-times.ts'
import type { RenderedList } from './kept-lists.ts'

/** Collects a list that shows alerts, and where in it their times are. */
export interface AlertListWriter {
  add(piece: Uint8Array): void
  /** Adds the item of an alert, without its comma if it is the first of its list. */
  addAlert(entry: AlertEntry, rendered: RenderedAlert, isFirst: boolean): void
  /** Joins everything, in slices. */
  finish(): Generator<void, RenderedList>
}

/** Creates an {@link AlertListWriter} of an empty list. */
export function createAlertListWriter(): AlertListWriter {
  const pieces: Uint8Array[] = []
  const places = new Map<AlertEntry, TimePlace[]>()
  let length = 0

  const add = (piece: Uint8Array): void => {
    pieces.push(piece)
    length += piece.length
  }

  return {
    add,

    addAlert(entry, { item, times }, isFirst) {
      const start = isFirst ? length - 1 : length
      const own = getOrCreate(places, entry, () => [])
      if (times !== undefined) {
        own.push({ endsAt: start + times.endsAt, updatedAt: start + times.updatedAt })
      }
      add(isFirst ? item.subarray(1) : item)
    },

    *finish() {
      return { bytes: yield* joinBytes(pieces), places }
    },
  }
}
