import type { RouteNode } from '../routing/routing-tree.ts'
import { createNotification, type NotificationContent } from './create-notification.ts'
import type { Notification, NotificationRenderer } from './notification.ts'
import type { NotificationTemplates } from './notification-templates.ts'

/** The content of a notification about a group of a route; its route labels follow from the route. */
export type RouteNotificationContent = Omit<NotificationContent, 'routeLabels'>

/** Options of {@link createRouteNotification}. */
export interface RouteNotificationOptions {
  route: RouteNode
  templates: NotificationTemplates
  /** Called for a route label that cannot be rendered; it is left out. */
  failed: (label: string, error: unknown) => void
  /** Creates the renderer of the templates of integrations (default: `templates`). */
  createRenderer?: (notification: Notification) => NotificationRenderer
}

/**
 * Creates a notification about a group, with the labels of the group's route rendered.
 *
 * @throws {RangeError} if there are no alerts.
 */
export function createRouteNotification(
  content: RouteNotificationContent,
  options: RouteNotificationOptions,
): Notification {
  const { route, templates, failed, createRenderer = templates.renderer } = options
  const notification = createNotification({ routeLabels: {}, ...content }, createRenderer)
  if (route.labels.size === 0) return notification
  const routeLabels = templates.routeLabels(route.labels, notification, failed)
  return createNotification({ routeLabels, ...content }, createRenderer)
}
