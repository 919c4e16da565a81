import { createManualClock } from '../../testing/index.ts'
import { fingerprintOfObject } from '../alert/label-set.ts'
import {
  createNotification,
  type NotificationContent,
} from '../notification/create-notification.ts'
import type { Notification, NotifiedAlert } from '../notification/notification.ts'
import { createNotificationTemplates } from '../notification/notification-templates.ts'

const summary = 'Disk <full> & "hot"'

/** The two alerts of the recorded requests, in the order of a flush. */
export const sampleAlerts: readonly NotifiedAlert[] = [
  sampleAlert({
    labels: { alertname: 'DiskFull', instance: 'h0:9100', severity: 'critical' },
    startsAt: Date.UTC(2026, 10, 21, 0, 0, 1),
  }),
  sampleAlert({
    labels: { alertname: 'DiskFull', instance: 'h1:9100', severity: 'critical' },
    annotations: { runbook: 'http://rb/', summary },
    generatorURL: 'http://prom/graph?g0.expr=a&g0.tab=1',
  }),
]

/** A firing alert with these overrides. */
export function sampleAlert(given: Partial<NotifiedAlert> = {}): NotifiedAlert {
  const { labels = { alertname: 'DiskFull' } } = given
  return {
    status: 'firing',
    labels,
    annotations: { summary },
    startsAt: Date.UTC(2026, 10, 21),
    endsAt: undefined,
    generatorURL: '',
    fingerprint: fingerprintOfObject(labels),
    ...given,
  }
}

/** The alert, resolved a minute after midnight. */
export const resolvedAlert = (alert: NotifiedAlert): NotifiedAlert => ({
  ...alert,
  status: 'resolved',
  endsAt: Date.UTC(2026, 10, 21, 0, 1),
})

/** Options of {@link sampleNotification}. */
export interface SampleOptions extends Partial<NotificationContent> {
  /** Whether all alerts are resolved (default false). */
  resolved?: boolean
}

const templates = createNotificationTemplates([], createManualClock())

/** The notification of the recorded requests, with these overrides. */
export function sampleNotification(options: SampleOptions = {}): Notification {
  const { resolved = false, ...given } = options
  const { alerts = resolved ? sampleAlerts.map(resolvedAlert) : sampleAlerts } = given
  return createNotification(
    {
      groupKey: '{}:{alertname="DiskFull"}',
      receiver: 'all',
      reason: resolved ? 'all alerts resolved' : 'first notification',
      groupLabels: { alertname: 'DiskFull' },
      routeLabels: {},
      externalURL: 'http://am.example.org',
      now: Date.UTC(2026, 10, 21, 0, 2),
      kept: {},
      ...given,
      alerts,
    },
    (notification) => templates.renderer(notification),
  )
}
