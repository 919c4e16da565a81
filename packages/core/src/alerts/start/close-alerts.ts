import type { AlertsContext } from '../context.ts'

/**
 * Ends the streams of changes, and accepts no others, so that a server can close. Other requests are still answered. The `stop()` of
 * `startAlerts()` begins with it; call it yourself only to close a server between both.
 */
export async function closeAlerts({ changes }: AlertsContext): Promise<void> {
  changes.close()
}
