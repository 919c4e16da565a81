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

/** Options of {@link routeLabels}. */
export interface RouteLabelsOptions {
  templates: NotificationTemplates
  /** Where people reach the service. */
  externalURL: string
  now: Instant
}

/** Whether what the labels of a route say depends on the alerts of a group. */
export function hasTemplates(route: RouteNode): boolean {
  for (const value of route.labels.values()) if (value.includes('{{')) return true
  return false
}

/**
 * The labels of a route, its parents' included, as one of its groups has them. One that cannot be rendered is left out
 * here as in notifications, whose dispatcher logs it.
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
