import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import type { May } from '../../data/me.ts'
import { useTexts } from '../../texts/texts.ts'

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
