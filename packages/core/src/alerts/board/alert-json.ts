import { encodeListItem, goJsonString } from '@gatehouse/go-template/json'
import { compareBytes } from '@gatehouse/go-template/text'
import { formatDateTime } from '../../time/date-time.ts'
import { type Acknowledgement, toGettableAcknowledgement } from '../alert/acknowledgement.ts'
import type { GettableAlert } from '../alert/alert.ts'
import { labelSetFromObject, labelSetToObject } from '../alert/label-set.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type { AlertEntry, AlertStatus, RenderedAlert, RouteSet, ShownAlert } from './alert-entry.ts'
import { alertState } from './alert-status.ts'
import { timesOf, writeTimes } from './alert-times.ts'

/** Texts as a JSON list. */
function textsJson(texts: readonly string[]): string {
  return texts.length === 0 ? '[]' : `[${texts.map(goJsonString).join(',')}]`
}

/** Names and values as a JSON object, in byte order of the names. */
export function labelsJson(labels: Iterable<readonly [string, string]>): string {
  const members: string[] = []
  for (const [name, value] of labels) members.push(`${goJsonString(name)}:${goJsonString(value)}`)
  return `{${members.join(',')}}`
}

/** Creates a {@link RouteSet} with the JSON of its receivers. */
export function createRouteSet(routes: readonly RouteNode[]): RouteSet {
  const receivers = routes.map(({ receiver }) => receiver)
  const sortedReceivers = [...receivers].sort(compareBytes)
  return {
    routes,
    receivers,
    receiversJson: receiversJson(receivers),
    sortedReceivers,
    sortedReceiversJson: receiversJson(sortedReceivers),
  }
}

/** A receiver's name as the JSON of a receiver. */
export function receiverJson(name: string): string {
  return `{"name":${goJsonString(name)}}`
}

/** Names of receivers as a JSON list. */
export function receiversJson(names: readonly string[]): string {
  return `[${names.map(receiverJson).join(',')}]`
}

/** The last member of an acknowledged alert; nothing for any other. */
function acknowledgementJson(acknowledgement: Acknowledgement | undefined): string {
  if (acknowledgement === undefined) return ''
  const { by, comment, since, until } = toGettableAcknowledgement(acknowledgement)
  const end = until === undefined ? '' : `,"until":"${until}"`
  return `,"acknowledgement":{"by":${goJsonString(by)},"comment":${goJsonString(comment)},"since":"${since}"${end}}`
}

/** The alert as an item of a JSON list, with its members in the order of the API. */
function renderAlert(entry: AlertEntry, shown: ShownAlert): RenderedAlert {
  const { status, mutedBy, receivers } = shown
  const { annotations, startsAt, startsAtText, endsAt, endsAtText, updatedAt, generatorURL } =
    entry.alert
  const start = `{"annotations":${labelsJson(labelSetFromObject(annotations))},"endsAt":"`
  const ends = formatDateTime(endsAt, endsAtText)
  const updated = formatDateTime(updatedAt)
  const link = generatorURL === undefined ? '' : `,"generatorURL":${goJsonString(generatorURL)}`
  const last = acknowledgementJson(status.acknowledgement)
  const end = `"${link},"labels":${labelsJson(entry.labels)}${last}}`
  // join() creates a flat string; a concatenation would stay a tree that every reader traverses.
  const json = [
    start,
    ends,
    '","fingerprint":"',
    entry.fingerprint,
    '","receivers":',
    receivers,
    ',"startsAt":"',
    formatDateTime(startsAt, startsAtText),
    '","status":{"inhibitedBy":',
    textsJson(status.inhibitedBy),
    ',"mutedBy":',
    textsJson(mutedBy),
    ',"silencedBy":',
    textsJson(status.silencedBy),
    ',"state":"',
    alertState(status, mutedBy),
    '"},"updatedAt":"',
    updated,
    end,
  ].join('')
  const item = encodeListItem(json)
  const times = timesOf(entry.alert) && {
    endsAt: Buffer.byteLength(start) + 1,
    updatedAt: item.length - Buffer.byteLength(end) - updated.length,
  }
  return { ...shown, alert: entry.alert, item, times }
}

/** Whether the JSON shows the alert as it is now: other times of an alert that was posted again are written into it. */
function isCurrent(rendered: RenderedAlert, { alert }: AlertEntry): boolean {
  if (rendered.alert === alert) return true
  const times = timesOf(alert)
  if (rendered.times === undefined || times === undefined) return false
  writeTimes(rendered.item, rendered.times, times)
  rendered.alert = alert
  return true
}

const none: readonly string[] = []

/** The alert as an item of the alert list. Rendered and encoded once per version and status. */
export function alertItem(entry: AlertEntry, status: AlertStatus): RenderedAlert {
  const receivers = entry.routeSet?.receiversJson ?? '[]'
  const before = entry.rendered
  if (before?.status === status && before.receivers === receivers && isCurrent(before, entry)) {
    return before
  }
  entry.rendered = renderAlert(entry, { status, mutedBy: none, receivers })
  return entry.rendered
}

/** The alert as an item of the groups view: with these receivers, and muted if its group is. */
export function groupedAlertItem(
  entry: AlertEntry,
  status: AlertStatus,
  mutedBy: readonly string[],
  receivers: string,
): RenderedAlert {
  const isListed = mutedBy.length === 0 && receivers === entry.routeSet?.receiversJson
  if (isListed) return alertItem(entry, status)
  const before = entry.renderedInGroup
  const isSame =
    before?.status === status &&
    before.receivers === receivers &&
    isSameList(before.mutedBy, mutedBy)
  if (isSame && isCurrent(before, entry)) return before
  entry.renderedInGroup = renderAlert(entry, { status, mutedBy, receivers })
  return entry.renderedInGroup
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}

/** The alert as a value. */
export function toGettableAlert(
  entry: AlertEntry,
  status: AlertStatus,
  receivers: readonly string[],
  mutedBy: readonly string[] = [],
): GettableAlert {
  const { annotations, startsAt, startsAtText, endsAt, endsAtText, updatedAt, generatorURL } =
    entry.alert
  return {
    annotations,
    endsAt: formatDateTime(endsAt, endsAtText),
    fingerprint: entry.fingerprint,
    receivers: receivers.map((name) => ({ name })),
    startsAt: formatDateTime(startsAt, startsAtText),
    status: {
      inhibitedBy: status.inhibitedBy,
      mutedBy,
      silencedBy: status.silencedBy,
      state: alertState(status, mutedBy),
    },
    updatedAt: formatDateTime(updatedAt),
    ...(generatorURL === undefined ? {} : { generatorURL }),
    labels: labelSetToObject(entry.labels),
    ...(status.acknowledgement === undefined
      ? {}
      : { acknowledgement: toGettableAcknowledgement(status.acknowledgement) }),
  }
}
