import { goJsonString } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import type { SilenceEntry } from '../board/alert-entry.ts'
import type { SilenceIndex } from '../board/silence-index.ts'
import { silenceItem } from '../board/silence-json.ts'
import { type SilenceState, type StoredSilence, silenceState } from '../silence/silence.ts'
import { type AlertsChangeFrame, changeOf } from './topic.ts'

interface ShownSilence {
  readonly silence: StoredSilence
  readonly state: SilenceState
}

/** Finds changes of silences, also those that the time makes. */
export interface SilenceTracker {
  /** The changes since the last call. The first call only remembers the state. */
  look(now: Instant): Generator<void, AlertsChangeFrame[]>
  /** The current state of these silences, as changes. */
  stateOf(ids: Iterable<string>, now: Instant): Generator<void, AlertsChangeFrame[]>
}

/** Creates a tracker of the silences of a board. */
export function createSilenceTracker(silences: SilenceIndex): SilenceTracker {
  const shown = new Map<string, ShownSilence>()
  let isFirst = true
  return {
    *look(now) {
      const wasFirst = isFirst
      isFirst = false
      const changes: AlertsChangeFrame[] = []
      const present = new Set<string>()
      for (const entry of silences.entries()) {
        const { id, silence } = entry
        const state = silenceState(entry, now)
        const before = shown.get(id)
        present.add(id)
        if (before?.silence === silence && before.state === state) continue
        shown.set(id, { silence, state })
        if (!wasFirst) changes.push(silenceChange(entry, now))
        yield
      }
      for (const id of shown.keys()) {
        if (present.has(id)) continue
        shown.delete(id)
        changes.push(removedSilence(id))
      }
      return changes
    },

    *stateOf(ids, now) {
      const entries = new Map([...silences.entries()].map((entry) => [entry.id, entry]))
      const changes: AlertsChangeFrame[] = []
      for (const id of ids) {
        const entry = entries.get(id)
        changes.push(entry === undefined ? removedSilence(id) : silenceChange(entry, now))
        yield
      }
      return changes
    },
  }
}

function silenceChange(entry: SilenceEntry, now: Instant): AlertsChangeFrame {
  const item = silenceItem(entry, now)
  // Without the comma of the list.
  const json = Buffer.from(item.buffer, item.byteOffset + 1, item.length - 1).toString()
  return changeOf('silence', 'silences', { id: entry.id, json })
}

function removedSilence(id: string): AlertsChangeFrame {
  return changeOf('silence-removed', 'silences', { id, json: `{"id":${goJsonString(id)}}` })
}
