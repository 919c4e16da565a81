import type { AuthContext } from '@gatehouse/core'
import { declareMetrics } from '@gatehouse/core/adapter'

const rows = {
  authorized: {
    type: 'counter',
    name: 'gatehouse_oidc_apps_authorized_total',
    help: 'Apps that people let in, or let do more.',
  },
  revoked: {
    type: 'counter',
    name: 'gatehouse_oidc_apps_revoked_total',
    help: 'Apps that lost what people had let them do.',
  },
  reused: {
    type: 'counter',
    name: 'gatehouse_oidc_tokens_reused_total',
    help: 'Codes and refresh tokens that came a second time.',
  },
} as const

/** The metrics of the authorization server. No label value comes from a client. */
type OidcMetrics = ReturnType<typeof declareMetrics<typeof rows>>

type MetricsPort = Pick<AuthContext, 'metrics'>

const declared = new WeakMap<MetricsPort['metrics'], OidcMetrics>()

/** The metrics in the registry of a service, which has each of them once. */
export function metricsOf({ metrics }: MetricsPort): OidcMetrics {
  const known = declared.get(metrics) ?? declareMetrics(metrics, rows)
  declared.set(metrics, known)
  return known
}
