import { getOrCreate } from '../../async/get-or-create.ts'
import { goJsonString } from '../../go/json.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { Labels } from '../alert/alert.ts'
import { sortedNames } from '../alert/label-set.ts'
import type { Notification, NotifiedAlert } from './notification.ts'

/** Options of {@link webhookPayload}. */
export interface WebhookPayloadOptions {
  /** Of the format, as `4`. */
  version: string
  /** How many alerts the notification had that are not in it. */
  truncatedAlerts: number
}

/**
 * A notification as one line of JSON.
 *
 * @see Alertmanager documentation, "Configuration", the format of `<webhook_config>`
 */
export function webhookPayload(
  notification: Notification,
  { version, truncatedAlerts }: WebhookPayloadOptions,
): string {
  const { receiver, status, alerts, reason, externalURL, groupKey } = notification
  const pairsJson = createPairsJson()
  const alertsJson = alerts.map((alert) => alertJson(alert, pairsJson)).join(',')
  // Added up, not joined: no text of this is put together before the whole is.
  return (
    `{"receiver":${goJsonString(escapedReceiver(receiver))},` +
    `"status":"${status}",` +
    `"alerts":[${alertsJson}],` +
    `"notification_reason":${goJsonString(reason)},` +
    `"groupLabels":${pairsJson(notification.groupLabels)},` +
    `"commonLabels":${pairsJson(notification.commonLabels)},` +
    `"commonAnnotations":${pairsJson(notification.commonAnnotations)},` +
    `"routeLabels":${pairsJson(notification.routeLabels)},` +
    `"externalURL":${goJsonString(externalURL)},` +
    `"version":${goJsonString(version)},` +
    `"groupKey":${goJsonString(groupKey)},` +
    `"truncatedAlerts":${truncatedAlerts}}\n`
  )
}

function alertJson(alert: NotifiedAlert, pairsJson: (pairs: Labels) => string): string {
  const { status, labels, annotations, generatorURL, fingerprint } = alert
  return (
    `{"status":"${status}",` +
    `"labels":${pairsJson(labels)},` +
    `"annotations":${pairsJson(annotations)},` +
    `"startsAt":"${timeText(alert.startsAt, alert.startsAtText)}",` +
    `"endsAt":"${timeText(alert.endsAt, alert.endsAtText)}",` +
    `"generatorURL":${goJsonString(generatorURL)},` +
    `"fingerprint":${goJsonString(fingerprint)}}`
  )
}

/** Of a single alert the labels are those that all have in common: written once, they serve twice. */
function createPairsJson(): (pairs: Labels) => string {
  const written = new Map<Labels, string>()
  return (pairs) => getOrCreate(written, pairs, () => pairsJsonOf(pairs))
}

function pairsJsonOf(pairs: Labels): string {
  let members = ''
  for (const name of sortedNames(pairs)) {
    const comma = members === '' ? '' : ','
    members += `${comma}${goJsonString(name)}:${goJsonString(pairs[name] ?? '')}`
  }
  return `{${members}}`
}

/** A time as exactly as it is known, without zeros at the end of its fraction. No time is Go's zero time. */
function timeText(at: Instant | undefined, text: string | undefined): string {
  if (at === undefined) return '0001-01-01T00:00:00Z'
  return text ?? formatDateTime(at).replace(/\.?0*Z$/, 'Z')
}

/** The name of a receiver as a regular expression that matches it alone. @see https://pkg.go.dev/regexp#QuoteMeta */
const escapedReceiver = (name: string): string => name.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
