import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import type { May } from '../../data/me.ts'
import { useTexts } from '../../texts/texts.ts'
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

/** Those of some alerts that this server has, and whether something may be done about them: not if it has none. */
export function useHere(alerts: readonly ShownAlert[]): {
  readonly own: readonly ShownAlert[]
  mayHere(may: May): May
} {
  const { others } = useTexts().alerts
  const own = alerts.filter(isHere)
  const nothing = { allowed: false, reason: others.nothingHere, wouldSignIn: false }
  return { own, mayHere: (may) => (own.length === 0 ? nothing : may) }
}
