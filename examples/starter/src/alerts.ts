import { type AlertsContext, type AlertsOptions, createAlerts, listAlerts } from '@gatehouse/core'

/** Alerts of this app and of others: `config` has the keys of alertmanager.yml, and may be its text. */
export function createAppAlerts(options: Omit<AlertsOptions, 'config'>): AlertsContext {
  return createAlerts({
    ...options,
    config: {
      route: { receiver: 'team', group_by: ['alertname'] },
      // Add `webhook_configs`, `email_configs`, `slack_configs` or others, so that somebody is notified.
      receivers: [{ name: 'team' }],
    },
  })
}

/** The number of critical alerts that fire and are not silenced. */
export async function countCritical(alerts: AlertsContext): Promise<number> {
  const filter = ['severity="critical"']
  return (await listAlerts(alerts, { filter, silenced: false })).length
}
