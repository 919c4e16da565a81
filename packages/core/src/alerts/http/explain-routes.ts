import type { AlertsContext } from '../context.ts'
import { listExpectedAlerts } from '../list-expected-alerts.ts'
import { jsonLine } from './json-body.ts'
import { ownRows, requires } from './operation.ts'
import type { GuardedRow } from './request-guard.ts'

/** The routes below `/gatehouse/v1` that say what the service does, and why. */
export function explainRows(alerts: AlertsContext): GuardedRow[] {
  return ownRows(alerts, 'expected-alerts', {
    GET: requires('alerts:read', async () => jsonLine(await listExpectedAlerts(alerts))),
  })
}
