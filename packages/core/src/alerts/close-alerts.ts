import type { AlertsContext } from './context.ts'

/** Ends the streams of changes, and accepts no others, so that a server can stop. Other requests are still answered. */
export function closeAlerts({ changes }: AlertsContext): void {
  changes.close()
}
