import type { Instant } from '../../time/clock.ts'
import {
  type LabelSet,
  labelSet,
  labelSetFromObject,
  labelSetToObject,
} from '../alert/label-set.ts'
import { groupKey } from '../routing/group-key.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import { createRouteNotification } from './create-route-notification.ts'
import type { NotifiedAlert } from './notification.ts'
import type { NotificationTemplates } from './notification-templates.ts'

/** The group that the labels of its route are rendered for. */
export interface LabelledGroup {
  readonly labels: LabelSet
  /** In the order of a flush; never empty. */
  readonly alerts: readonly NotifiedAlert[]
}

/** Input of {@link routeLabels}. */
export interface RouteLabelsOptions {
  templates: NotificationTemplates
  /** The URL under which people reach the service. */
  externalURL: string
  now: Instant
}

/** Whether the labels of a route depend on the alerts of a group. */
export function hasTemplates(route: RouteNode): boolean {
  for (const value of route.labels.values()) if (value.includes('{{')) return true
  return false
}

/**
 * The labels of a route, including inherited ones, rendered for a group. A label that cannot be rendered is left out, as in
 * notifications, where the dispatcher logs it.
 *
 * @see Alertmanager configuration, `route.labels`
 */
export function routeLabels(
  route: RouteNode,
  group: LabelledGroup,
  { templates, externalURL, now }: RouteLabelsOptions,
): LabelSet {
  if (!hasTemplates(route)) return labelSet(route.labels)
  const content = {
    groupKey: groupKey(route, group.labels),
    receiver: route.receiver,
    reason: 'unknown',
    alerts: group.alerts,
    groupLabels: labelSetToObject(group.labels),
    externalURL,
    now,
    kept: {},
  } as const
  const notification = createRouteNotification(content, {
    route,
    templates,
    failed: () => undefined,
  })
  return labelSetFromObject(notification.routeLabels)
}
