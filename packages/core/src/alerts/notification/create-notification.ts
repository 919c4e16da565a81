import { compareBytes } from '@gatehouse/go-template/text'
import type { Labels } from '../alert/alert.ts'
import { isInOrder } from '../alert/label-set.ts'
import { groupHash } from '../routing/group-key.ts'
import type { Notification, NotificationRenderer, NotifiedAlert } from './notification.ts'

/** The content of a notification; everything else is derived from it. */
export type NotificationContent = Omit<
  Notification,
  | keyof NotificationRenderer
  | 'groupHash'
  | 'status'
  | 'commonLabels'
  | 'commonAnnotations'
  | 'truncatedAlerts'
  | 'limitedGroups'
  | 'first'
> &
  Partial<Pick<Notification, 'limitedGroups'>>

/**
 * Creates a notification for one integration.
 *
 * @param createRenderer is called when the first template of the notification is rendered, if any is.
 * @throws {RangeError} if there are no alerts.
 */
export function createNotification(
  content: NotificationContent,
  createRenderer: (notification: Notification) => NotificationRenderer,
): Notification {
  return truncatedNotification(content, 0, createRenderer)
}

function truncatedNotification(
  content: NotificationContent,
  truncatedAlerts: number,
  createRenderer: (notification: Notification) => NotificationRenderer,
): Notification {
  const { alerts } = content
  if (alerts.length === 0) throw new RangeError('alerts must not be empty')
  let renderer: NotificationRenderer | undefined
  const rendererOf = (): NotificationRenderer => {
    renderer ??= createRenderer(notification)
    return renderer
  }
  const { receiver, reason, groupKey, groupLabels, routeLabels, externalURL, now, kept } = content
  const { limitedGroups = none } = content
  // Members one by one and without getters: a copy or getters take twenty times as long.
  const notification: Notification = Object.freeze({
    groupKey,
    groupHash: groupHash(groupKey),
    receiver,
    reason,
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts,
    truncatedAlerts,
    limitedGroups,
    groupLabels,
    commonLabels: commonPairs(alerts.map(({ labels }) => labels)),
    commonAnnotations: commonPairs(alerts.map(({ annotations }) => annotations)),
    routeLabels,
    externalURL,
    now,
    kept,
    text: (template: string) => rendererOf().text(template),
    html: (template: string) => rendererOf().html(template),
    first(count: number, order: 'all' | 'firing' = 'all'): Notification {
      if (!(count >= 1)) throw new RangeError(`count must be 1 or more, got ${count}`)
      if (count >= alerts.length) return notification
      const left = truncatedAlerts + alerts.length - count
      const sorted = order === 'all' ? alerts : firingFirst(alerts)
      return truncatedNotification(
        { ...content, alerts: sorted.slice(0, count) },
        left,
        createRenderer,
      )
    },
  } satisfies Notification)
  return notification
}

const none: readonly string[] = []

const firingFirst = (alerts: readonly NotifiedAlert[]): readonly NotifiedAlert[] => [
  ...alerts.filter(({ status }) => status === 'firing'),
  ...alerts.filter(({ status }) => status !== 'firing'),
]

/** The pairs that are in all objects with the same value, in byte order of their names. */
function commonPairs(all: readonly Labels[]): Labels {
  const [first = {}, ...others] = all
  if (others.length === 0 && isInOrder(Object.keys(first))) return first
  const common = Object.entries(first).filter(([name, value]) =>
    others.every((pairs) => valueIn(pairs, name) === value),
  )
  return Object.fromEntries(common.sort(([a], [b]) => compareBytes(a, b)))
}

/** Inherited names such as `constructor` do not count. */
const valueIn = (pairs: Labels, name: string): string | undefined =>
  Object.hasOwn(pairs, name) ? pairs[name] : undefined
