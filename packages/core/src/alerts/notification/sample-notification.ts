import { labelSetToObject } from '../alert/label-set.ts'
import type { AlertsContext } from '../context.ts'
import { receiverNotFound } from '../errors.ts'
import type { ReadyIntegration } from '../receivers/receiver-set.ts'
import { groupKey } from '../routing/group-key.ts'
import { createRouteNotification } from './create-route-notification.ts'
import type { Notification, NotificationRenderer } from './notification.ts'
import { type DecodedSample, sampleAlerts, sampleGroupLabels } from './notification-sample.ts'

/**
 * The integrations of a receiver under the running configuration.
 *
 * @throws {GatehouseError} `ReceiverNotFound`
 */
export function integrationsOf(
  { config, receiversOf }: AlertsContext,
  receiver: string,
): readonly ReadyIntegration[] {
  const { receivers } = config.current
  if (!receivers.some(({ name }) => name === receiver)) throw receiverNotFound(receiver)
  return receiversOf(config.current).integrations(receiver)
}

/** Options of {@link sampleNotification}. */
export interface SampleNotificationOptions {
  sample: DecodedSample
  /** Whether it is told of resolved alerts. */
  sendResolved: boolean
  /** What renders the templates of integrations (default: those of the configuration). */
  createRenderer?: (notification: Notification) => NotificationRenderer
}

/**
 * The only notification about a group of these alerts; `undefined` where there is nothing to tell. The group is one of
 * the first route to the receiver, or of the root where there is none.
 */
export function sampleNotification(
  { board, clock, config, options, receiversOf, logger }: AlertsContext,
  receiver: string,
  { sample, sendResolved, ...given }: SampleNotificationOptions,
): Notification | undefined {
  const { nodes, root } = board.routingTree
  const route = nodes.find((node) => node.receiver === receiver) ?? root
  const now = clock.now()
  const all = sampleAlerts(sample, now)
  const alerts = all.filter(({ status }) => sendResolved || status === 'firing')
  if (alerts.length === 0) return undefined
  const labels = sampleGroupLabels(sample, route, all)
  const isOver = alerts.every(({ status }) => status === 'resolved')
  const content = {
    groupKey: groupKey(route, labels),
    receiver,
    reason: isOver ? 'all alerts resolved' : 'first notification',
    alerts,
    groupLabels: labelSetToObject(labels),
    externalURL: options.externalUrl,
    now,
    kept: {},
  } as const
  return createRouteNotification(content, {
    route,
    templates: receiversOf(config.current).templates,
    failed(label, error) {
      logger.warn({ route: route.id, label, error: String(error) }, 'a route label is left out')
    },
    ...given,
  })
}

/** Why an integration is told nothing of a sample. */
export const nothingToTell = 'send_resolved is false, and all alerts are resolved'
