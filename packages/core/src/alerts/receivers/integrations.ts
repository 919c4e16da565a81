import type { WholeNumber } from '@gatehouse/go-template/yaml'
import type { Notification } from '../notification/notification.ts'
import type { IntegrationOrder } from './define-integration.ts'
import type { ReceiverKind } from './kind.ts'
import { type Kind, kinds } from './kinds.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'

/** A type of integration, such as `webhook`. */
export type IntegrationType = Kind['type']

type IntegrationOf<K> = K extends ReceiverKind<infer I, object> ? I : never

/** An integration of a receiver with its settings, by `type`. */
export type Integration = IntegrationOf<Kind> & {
  /** The most alerts in a notification; 0 means all. Alertmanager has it only for some types. */
  readonly max_alerts?: WholeNumber
}

type AnyKind = ReceiverKind<Integration, object>

const allKinds: readonly AnyKind[] = Object.values(kinds)
const byType: ReadonlyMap<string, AnyKind> = new Map(allKinds.map((kind) => [kind.type, kind]))

/** All kinds in one of their orders; those without a position come last. */
export function kindsInOrder(order: keyof IntegrationOrder): readonly AnyKind[] {
  const placeOf = (kind: AnyKind): number => kind.order?.[order] ?? allKinds.length + 1
  return allKinds.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The types of integrations, in the order in which a receiver runs them. */
export const integrationTypes: readonly IntegrationType[] = kindsInOrder('run').map(
  ({ type }) => type,
)

/** The kind of an integration. */
export function kindOf({ type }: Integration): AnyKind {
  const kind = byType.get(type)
  if (kind === undefined) throw new TypeError(`there is no receiver of type ${type}`)
  return kind
}

/** Makes the notifier of an integration of a receiver. */
export function notifierOf(integration: Integration, ports: NotifierPorts): Notifier {
  const notifier = kindOf(integration).create(integration, ports)
  if ((integration.max_alerts ?? 0) === 0) return notifier
  return {
    name: notifier.name,
    notify: (notification, signal) => notifier.notify(cutFor(integration, notification), signal),
  }
}

/**
 * The notification with at most `max_alerts` alerts. Except where Alertmanager cuts, firing alerts are kept before resolved ones:
 * otherwise an incident would be closed while an alert fires.
 */
export function cutFor(integration: Integration, notification: Notification): Notification {
  const most = Number(integration.max_alerts ?? 0)
  if (most === 0) return notification
  return notification.first(most, kindOf(integration).cutsInOrder ? 'all' : 'firing')
}
