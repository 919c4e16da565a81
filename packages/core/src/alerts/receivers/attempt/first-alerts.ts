import type { Notification } from '../../notification/notification.ts'

/** A notification about at most `limit` alerts, where 0 means all, and how many are left out. */
export function firstAlerts(
  notification: Notification,
  limit: number,
): { readonly kept: Notification; readonly truncatedAlerts: number } {
  const kept = limit === 0 ? notification : notification.first(limit)
  return { kept, truncatedAlerts: notification.alerts.length - kept.alerts.length }
}
