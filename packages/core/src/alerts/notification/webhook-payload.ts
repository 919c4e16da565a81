import { goJsonString } from '@gatehouse/go-template/json'
import { getOrCreate } from '../../async/get-or-create.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { Labels } from '../alert/alert.ts'
import { sortedNames } from '../alert/label-set.ts'
import type { Notification, NotifiedAlert } from './notification.ts'

/** Options of {@link webhookPayload}. */
export interface WebhookPayloadOptions {
  /** The version of the format, such as `4`. */
  version: string
  /** The number of alerts of the notification that are left out. */
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
  // Concatenated, not joined: no intermediate text is built.
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
    `"truncatedAlerts":${truncatedAlerts}${limitedGroupsJson(notification)}}\n`
  )
}

/** An addition to the format: only summaries of limited groups have it. */
function limitedGroupsJson({ limitedGroups }: Notification): string {
  if (limitedGroups.length === 0) return ''
  return `,"limitedGroups":[${limitedGroups.map(goJsonString).join(',')}]`
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
    `"fingerprint":${goJsonString(fingerprint)}${acknowledgementJson(alert)}}`
  )
}

/** An addition to the format: only acknowledged alerts have it. */
function acknowledgementJson({ acknowledgement }: NotifiedAlert): string {
  if (acknowledgement === undefined) return ''
  const { by, comment, since, until } = acknowledgement
  return (
    `,"acknowledgement":{"by":${goJsonString(by)},` +
    `"comment":${goJsonString(comment)},` +
    `"since":"${timeText(since, undefined)}",` +
    `"until":"${timeText(until, undefined)}"}`
  )
}

/** The labels of a single alert are also the common labels: render them once for both. */
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

/** A time with its full precision, without trailing zeros. Go's zero time if there is none. */
function timeText(at: Instant | undefined, text: string | undefined): string {
  if (at === undefined) return '0001-01-01T00:00:00Z'
  return text ?? formatDateTime(at).replace(/\.?0*Z$/, 'Z')
}

/** A regular expression that matches exactly this receiver name. @see https://pkg.go.dev/regexp#QuoteMeta */
const escapedReceiver = (name: string): string => name.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
