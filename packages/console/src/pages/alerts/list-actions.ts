import type { Selection } from './use-selection.ts'

/** What the lists of alerts can do. */
export interface ListActions {
  onPick: (name: string, value: string) => void
  onSilence: (fingerprints: readonly string[]) => void
  onAcknowledge: (fingerprints: readonly string[]) => void
  selection: Selection
}
