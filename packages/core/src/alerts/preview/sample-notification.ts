import type { Logger } from '../../logger.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import { labelSetToObject } from '../alert/label-set.ts'
import type { AlertBoard } from '../board/board.ts'
import type { AlertsConfig } from '../config/config.ts'
import { receiverNotFound } from '../errors.ts'
import { createRouteNotification } from '../notification/create-route-notification.ts'
import type { Notification, NotificationRenderer } from '../notification/notification.ts'
import type { ReadyIntegration, ReceiverSet } from '../receivers/receiver-set.ts'
import { groupKey } from '../routing/group-key.ts'
import { type DecodedSample, sampleAlerts, sampleGroupLabels } from './notification-sample.ts'

/** The parts of the service that a sample needs. */
interface SampleContext {
  readonly board: AlertBoard
  readonly clock: Clock
  readonly config: { readonly current: AlertsConfig }
  readonly logger: Logger
  readonly options: { readonly externalUrl: string }
  readonly receiversOf: (config: AlertsConfig) => ReceiverSet
}

/**
 * The integrations of a receiver under the running configuration.
 *
 * @throws {GatehouseError} `ReceiverNotFound`
 */
export function integrationsOf(
  { config, receiversOf }: Pick<SampleContext, 'config' | 'receiversOf'>,
  receiver: string,
): readonly ReadyIntegration[] {
  const { receivers } = config.current
  if (!receivers.some(({ name }) => name === receiver)) throw receiverNotFound(receiver)
  return receiversOf(config.current).integrations(receiver)
}

/** Options of {@link sampleNotification}. */
export interface SampleNotificationOptions {
  sample: DecodedSample
  /** Whether the integration gets resolved alerts. */
  sendResolved: boolean
  /** When it is sent (default now). */
  now?: Instant
  /** Renders the templates of integrations (default: the configuration's templates). */
  createRenderer?: (notification: Notification) => NotificationRenderer
}

/**
 * The only notification about a group of these alerts; `undefined` if there is nothing to send. The group belongs to the
 * first route to the receiver, or to the root if there is no such route.
 */
export function sampleNotification(
  { board, clock, config, options, receiversOf, logger }: SampleContext,
  receiver: string,
  { sample, sendResolved, now = clock.now(), ...given }: SampleNotificationOptions,
): Notification | undefined {
  const { nodes, root } = board.routingTree
  const route = nodes.find((node) => node.receiver === receiver) ?? root
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

/** Why an integration gets no notification of a sample. */
export const nothingToSend = 'send_resolved is false, and all alerts are resolved'
