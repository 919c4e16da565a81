import {
  type LabelSet,
  labelSet,
  labelSetFromObject,
  labelSetToObject,
} from '../alert/label-set.ts'
import type { AlertsContext } from '../context.ts'
import { groupKey } from '../routing/group-key.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import { createRouteNotification } from './create-route-notification.ts'
import type { NotifiedAlert } from './notification.ts'

/** The group that the labels of its route are rendered for. */
export interface LabelledGroup {
  readonly labels: LabelSet
  /** In the order of a flush; never empty. */
  readonly alerts: readonly NotifiedAlert[]
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
  { receiversOf, config, options, clock }: AlertsContext,
  route: RouteNode,
  group: LabelledGroup,
): LabelSet {
  if (!hasTemplates(route)) return labelSet(route.labels)
  const content = {
    groupKey: groupKey(route, group.labels),
    receiver: route.receiver,
    reason: 'unknown',
    alerts: group.alerts,
    groupLabels: labelSetToObject(group.labels),
    externalURL: options.externalUrl,
    now: clock.now(),
    kept: {},
  } as const
  const { templates } = receiversOf(config.current)
  const notification = createRouteNotification(content, {
    route,
    templates,
    failed: () => undefined,
  })
  return labelSetFromObject(notification.routeLabels)
}
