import { memoize } from '../../async/memoize.ts'
import { compareBytes } from '../../crypto/byte-order.ts'
import { goJsonString } from '../../go/json.ts'
import { encodeListItem } from '../../go/json-list.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { GettableAlert, StoredAlert } from '../alert/alert.ts'
import { labelSetFromObject, labelSetToObject } from '../alert/label-set.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type { AlertEntry, AlertStatus, RenderedAlert, RouteSet, ShownAlert } from './alert-entry.ts'
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

/** The alert as an item of a JSON list, with its members in the order of the API. */
function renderAlert(entry: AlertEntry, shown: ShownAlert): RenderedAlert {
  const { status, mutedBy, receivers } = shown
  const { annotations, startsAt, startsAtText, endsAt, endsAtText, updatedAt, generatorURL } =
    entry.alert
  const start = `{"annotations":${labelsJson(labelSetFromObject(annotations))},"endsAt":"`
  const ends = formatDateTime(endsAt, endsAtText)
  const updated = formatDateTime(updatedAt)
  const link = generatorURL === undefined ? '' : `,"generatorURL":${goJsonString(generatorURL)}`
  const end = `"${link},"labels":${labelsJson(entry.labels)}}`
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
  return {
    ...shown,
    item,
    hasPlainTimes: ends.length === plainLength && updated.length === plainLength,
    endsAtOffset: Buffer.byteLength(start) + 1,
    updatedAtOffset: item.length - Buffer.byteLength(end) - updated.length,
  }
}

/** The length of a time in UTC, in years of four digits. */
const plainLength = '2026-01-02T03:04:05.678Z'.length

/** The bytes of a time in UTC. Alerts of one request share their times. */
const timeBytes = memoize((at) => Buffer.from(formatDateTime(Number(at))), 256)

/**
 * Updates the JSON of an alert that was posted again: in place if only its end is another one, which is much faster than
 * rendering it. Lists hold copies of their items, so readers do not notice.
 */
export function updateJson(entry: AlertEntry, before: StoredAlert): void {
  const { alert, rendered, renderedInGroup } = entry
  if (rendered === undefined && renderedInGroup === undefined) return
  if (alert.endsAtText === undefined && differsOnlyInTimes(before, alert)) {
    const ends = timeBytes(`${alert.endsAt}`)
    const updated = timeBytes(`${alert.updatedAt}`)
    entry.rendered = withTimes(rendered, ends, updated)
    entry.renderedInGroup = withTimes(renderedInGroup, ends, updated)
  } else {
    entry.rendered = undefined
    entry.renderedInGroup = undefined
  }
}

function differsOnlyInTimes(a: StoredAlert, b: StoredAlert): boolean {
  const names = Object.keys(a.annotations)
  return (
    a.startsAt === b.startsAt &&
    a.startsAtText === b.startsAtText &&
    a.generatorURL === b.generatorURL &&
    names.length === Object.keys(b.annotations).length &&
    names.every((name) => a.annotations[name] === b.annotations[name])
  )
}

/** The same JSON with other times, or `undefined` if it has no room for them. */
function withTimes(
  rendered: RenderedAlert | undefined,
  ends: Uint8Array,
  updated: Uint8Array,
): RenderedAlert | undefined {
  const fits = ends.length === plainLength && updated.length === plainLength
  if (rendered === undefined || !rendered.hasPlainTimes || !fits) return undefined
  rendered.item.set(ends, rendered.endsAtOffset)
  rendered.item.set(updated, rendered.updatedAtOffset)
  return rendered
}

const none: readonly string[] = []

/** The alert as an item of the alert list, for copying. Rendered and encoded once per version and status. */
export function alertItem(entry: AlertEntry, status: AlertStatus): Uint8Array {
  const receivers = entry.routeSet?.receiversJson ?? '[]'
  if (entry.rendered?.status !== status || entry.rendered.receivers !== receivers) {
    entry.rendered = renderAlert(entry, { status, mutedBy: none, receivers })
  }
  return entry.rendered.item
}

/** The alert as an item of the groups view, for copying: with these receivers, and muted if its group is. */
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
  entry.renderedInGroup = renderAlert(entry, { status, mutedBy, receivers })
  return entry.renderedInGroup.item
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
