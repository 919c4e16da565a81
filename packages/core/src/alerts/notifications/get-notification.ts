import { cursorAt } from '../../history/history-id.ts'
import { readHistory } from '../../history/read-history.ts'
import { anyText, decodeInput, exactly, flag, optional } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { StoredAlert } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import { notificationNotFound } from '../errors.ts'
import { alertHistoryCollection, type StoredAlertEvent } from '../history/alert-event.ts'
import {
  type GettableNotification,
  groupLabelsOf,
  notificationHistoryCollection,
  type StoredNotification,
  toGettableNotification,
} from '../history/notification-record.ts'
import { createRouteNotification } from '../notification/create-route-notification.ts'
import { flushAlerts, toNotifiedAlert } from '../notification/flush-alert.ts'
import type { NotifiedAlert } from '../notification/notification.ts'
import type * as wire from '../wire/types.generated.ts'
import { type RenderedIntegration, renderFor, shortened } from './render-notification.ts'

/** An alert of a recorded notification, as the history knows it at that time. */
export type NotificationAlert = wire.NotificationAlert

/** A recorded decision with its alerts, and the message rendered again. */
export interface NotificationDetails {
  readonly notification: GettableNotification
  /** At most the first 200 firing and the first 200 resolved ones, in the order of the message. */
  readonly alerts: readonly NotificationAlert[]
  /** How many recorded fingerprints are no longer in the history. */
  readonly unknownCount: number
  /**
   * The message, rendered again from these alerts with the running configuration and its templates. It may differ from the one that
   * was sent if these have changed, or if alerts are unknown. Absent if the decision is not about an integration, or if no alert is
   * known.
   */
  readonly message?: RenderedIntegration
}

/** Options of {@link getNotification}. */
export interface GetNotificationOptions {
  /** Whether to render the message (default true). */
  message?: boolean
}

const decodeOptions = exactly<GetNotificationOptions>({ message: optional(flag) })

const maxSearched = 200_000

/**
 * Returns a recorded decision of the notification pipeline with its alerts, and its message.
 *
 * The history keeps no messages: they would take many times its space, and masking secrets in a message that was sent could miss
 * an unexpected encoding of them. The message is rendered again instead, by notifiers that never see the secrets.
 *
 * @throws {GatehouseError} `InvalidInput`; `NotificationNotFound`
 */
export async function getNotification(
  alerts: AlertsContext,
  id: string,
  options: GetNotificationOptions = {},
): Promise<NotificationDetails> {
  const { message: wantsMessage = true } = decodeInput('options', decodeOptions, options)
  const record = await findRecord(alerts, decodeInput('id', anyText, id))
  if (record === undefined) throw notificationNotFound(id)
  const { value } = record
  const known = await alertsOf(alerts, value)
  const notified = notifiedAlerts(value, known)
  const { integration } = value
  const message =
    wantsMessage && integration !== undefined && notified.length > 0
      ? await renderAgain(alerts, { ...value, integration }, notified)
      : undefined
  return {
    notification: toGettableNotification(record),
    alerts: notified.map(
      ({ fingerprint, status, labels, annotations, generatorURL, startsAt }) => ({
        fingerprint,
        status,
        labels,
        annotations,
        ...(generatorURL === undefined || generatorURL === '' ? {} : { generatorURL }),
        startsAt: formatDateTime(startsAt),
      }),
    ),
    unknownCount: value.firing.length + value.resolved.length - notified.length,
    ...(message === undefined ? {} : { message: shortened(message) }),
  }
}

async function findRecord(
  alerts: AlertsContext,
  id: string,
): Promise<TypedRecord<StoredNotification> | undefined> {
  if (id.length > 200 || !/^\d{15}-[\w-]+$/.test(id)) return undefined
  const { items } = await readHistory(
    alerts,
    // A page begins before its cursor, so the cursor is one place after the record.
    { from: Number(id.slice(0, 15)), limit: 1, after: cursorAt(`${id}z`) },
    { collection: notificationHistoryCollection, wants: () => true, show: (record) => record },
  )
  return items[0]?.id === id ? items[0] : undefined
}

type KnownAlert = Pick<
  StoredAlertEvent,
  'labels' | 'annotations' | 'generatorURL' | 'startsAt' | 'endsAt'
>

/** The alerts of a decision by fingerprint: as their last event before it has them, else as they are stored now. */
async function alertsOf(
  alerts: AlertsContext,
  { at, firing, resolved }: StoredNotification,
): Promise<ReadonlyMap<string, KnownAlert>> {
  const found = new Map<string, KnownAlert>()
  const wanted = new Set([...firing, ...resolved])
  let searched = 0
  let after: string | undefined
  while (wanted.size > 0 && searched < maxSearched) {
    const page = await readHistory(
      alerts,
      { to: at + 1, limit: wanted.size, after },
      {
        collection: alertHistoryCollection,
        wants({ fingerprint }) {
          searched++
          return wanted.delete(fingerprint)
        },
        show: ({ value }) => value,
      },
    )
    for (const event of page.items) found.set(event.fingerprint, event)
    after = page.next
    if (after === undefined) break
  }
  const { board } = alerts
  if (wanted.size > 0) await board.catchUp()
  for (const fingerprint of wanted) {
    const stored = board.alerts.stored.get(fingerprint)
    if (stored !== undefined) found.set(fingerprint, stored.value)
  }
  return found
}

/** The known alerts as the notification listed them. */
function notifiedAlerts(
  { at, firing, resolved }: StoredNotification,
  known: ReadonlyMap<string, KnownAlert>,
): readonly NotifiedAlert[] {
  const isOver = new Set(resolved)
  const records = [...firing, ...resolved].flatMap((id) => {
    const alert = known.get(id)
    if (alert === undefined) return []
    const { labels, annotations, generatorURL, startsAt, endsAt = at } = alert
    const value: StoredAlert = {
      labels,
      annotations,
      startsAt,
      endsAt: isOver.has(id) ? Math.min(endsAt, at) : at + 1,
      updatedAt: at,
      ...(generatorURL === undefined ? {} : { generatorURL }),
    }
    return [{ id, version: '', value }]
  })
  return flushAlerts(records, at).map((alert) => toNotifiedAlert(alert, at))
}

function renderAgain(
  alerts: AlertsContext,
  recorded: StoredNotification & { readonly integration: string },
  notified: readonly NotifiedAlert[],
): Promise<RenderedIntegration> | RenderedIntegration {
  const { board, config, logger, options, receiversOf } = alerts
  const { at, groupKey, integration, reason = 'unknown', receiver } = recorded
  const { nodes, root } = board.routingTree
  const set = receiversOf(config.current)
  const ready = set.integrations(receiver).find(({ key }) => key === integration)
  if (ready === undefined) {
    const detail = 'the running configuration has no such integration'
    return { integration, outcome: 'skipped', detail, requests: [] }
  }
  const routes = nodes.filter((node) => node.receiver === receiver)
  const route = routes.find(({ key }) => groupKey.startsWith(`${key}:`)) ?? routes[0] ?? root
  const content = {
    groupKey,
    receiver,
    reason,
    alerts: notified,
    groupLabels: groupLabelsOf(recorded) ?? {},
    externalURL: options.externalUrl,
    now: at,
    kept: {},
  } as const
  return renderFor(alerts, ready, (createRenderer) =>
    createRouteNotification(content, {
      route,
      templates: set.templates,
      failed(label, error) {
        logger.debug({ route: route.id, label, error: String(error) }, 'a route label is left out')
      },
      createRenderer,
    }),
  )
}
