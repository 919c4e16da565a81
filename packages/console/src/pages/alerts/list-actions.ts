import type { May } from '../../data/me.ts'
import type { Selection } from './use-selection.ts'

/** What the lists of alerts can do. */
export interface ListActions {
  /** Adds a value of a label to the filter, or excludes it. */
  onPick: (name: string, value: string, isEqual: boolean) => void
  onSilence: (fingerprints: readonly string[]) => void
  onAcknowledge: (fingerprints: readonly string[]) => void
  maySilence: May
  mayAcknowledge: May
  selection: Selection
}

/** Rows that are open, by the fingerprint of their alert. */
export interface OpenRows {
  readonly ids: ReadonlySet<string>
  toggle(fingerprint: string): void
}
