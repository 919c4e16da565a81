import { retryOnConflict } from '../../storage.ts'
import type { AlertsContext } from '../context.ts'
import type { RouteNode } from '../routing-tree.ts'
import { logCollection, logExpiry, type StoredLog } from './log.ts'

/** A claim that was taken over leaves one thing to do: what was told is told, whoever flushes the group now. */
export function logAnyway(
  alerts: AlertsContext,
  { logKey, log, route }: { logKey: string; log: StoredLog; route: RouteNode },
): Promise<void> {
  const { storage, clock } = alerts
  const { claim: _, ...ours } = log
  return retryOnConflict(async () => {
    const current = await logCollection.get(storage, logKey)
    const integrations = { ...ours.integrations }
    for (const [key, theirs] of Object.entries(current?.value.integrations ?? {})) {
      const own = integrations[key]
      if (own === undefined || theirs.at > own.at) integrations[key] = theirs
    }
    const merged: StoredLog = { ...ours, ...current?.value, integrations }
    const expiresAt = logExpiry(alerts, route, clock.now())
    const options = { if: current?.version ?? 'absent', expiresAt }
    await storage.commit([logCollection.write(logKey, merged, options)])
  })
}
