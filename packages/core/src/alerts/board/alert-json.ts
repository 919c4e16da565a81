import { compareBytes } from '../../crypto/byte-order.ts'
import { goJsonString } from '../../go/json.ts'
import { encodeListItem } from '../../go/json-list.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { GettableAlert } from '../alert/alert.ts'
import { labelSetFromObject, labelSetToObject } from '../alert/label-set.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type { AlertEntry, AlertStatus, RouteSet } from './alert-entry.ts'
import { alertState } from './alert-status.ts'

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

/** The alert as JSON, with its members in the order of the API. */
function renderAlert(
  entry: AlertEntry,
  status: AlertStatus,
  receivers: string,
  mutedBy: readonly string[],
): string {
  const { annotations, startsAt, startsAtText, endsAt, endsAtText, updatedAt, generatorURL } =
    entry.alert
  // join() creates a flat string; a concatenation would stay a tree that every reader traverses.
  return [
    '{"annotations":',
    labelsJson(labelSetFromObject(annotations)),
    ',"endsAt":"',
    formatDateTime(endsAt, endsAtText),
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
    formatDateTime(updatedAt),
    generatorURL === undefined ? '"' : `","generatorURL":${goJsonString(generatorURL)}`,
    ',"labels":',
    labelsJson(entry.labels),
    '}',
  ].join('')
}

const none: readonly string[] = []

/** The alert as an item of the alert list. Rendered and encoded once per version and status. */
export function alertItem(entry: AlertEntry, status: AlertStatus): Uint8Array {
  if (entry.rendered?.status !== status) {
    const receivers = entry.routeSet?.receiversJson ?? '[]'
    const item = encodeListItem(renderAlert(entry, status, receivers, none))
    entry.rendered = { status, mutedBy: none, receivers, item }
  }
  return entry.rendered.item
}

/** The alert as an item of the groups view: with these receivers, and muted if its group is. */
export function groupedAlertItem(
  entry: AlertEntry,
  status: AlertStatus,
  mutedBy: readonly string[],
  receivers: string,
): Uint8Array {
  const isListed = mutedBy.length === 0 && receivers === entry.routeSet?.receiversJson
  if (isListed) return alertItem(entry, status)
  const before = entry.renderedInGroup
  const isCurrent =
    before?.status === status &&
    before.receivers === receivers &&
    isSameList(before.mutedBy, mutedBy)
  if (isCurrent) return before.item
  const item = encodeListItem(renderAlert(entry, status, receivers, mutedBy))
  entry.renderedInGroup = { status, mutedBy, receivers, item }
  return item
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
  }
}
