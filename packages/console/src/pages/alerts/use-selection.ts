import type { Alert } from '@gatehouse/client'
import { useCallback, useMemo, useState } from 'react'

/** Alerts that the user has selected, by fingerprint. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(fingerprint: string): void
  /** Selects just these. */
  set(fingerprints: readonly string[]): void
}

/** A selection that forgets alerts when they are no longer shown. */
export function useSelection(alerts: readonly Alert[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const ids = useMemo(() => {
    if (chosen.size === 0) return chosen
    return new Set(alerts.map(({ fingerprint }) => fingerprint).filter((id) => chosen.has(id)))
  }, [alerts, chosen])
  const toggle = useCallback((id: string) => {
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const set = useCallback((fingerprints: readonly string[]) => setChosen(new Set(fingerprints)), [])
  return useMemo(() => ({ ids, toggle, set }), [ids, toggle, set])
}
