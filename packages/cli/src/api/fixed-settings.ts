import { anyOrigin } from '../auth/development.ts'
import type { LoadedAuth } from '../auth/load-auth.ts'
import type { OidcSection } from '../auth/oidc-section.ts'
import { listenPlacesOf, servesWebhooks } from './api-config.ts'
import type { LoadedApi } from './load-api.ts'

/** The settings that a reload cannot change. */
const fixed: readonly (readonly [name: string, value: (loaded: LoadedApi) => unknown])[] = [
  ['where it listens (port, host, socket, listen)', ({ config }) => listenPlacesOf(config, {})],
  ['whether TLS is served', ({ rules }) => rules.tls !== undefined],
  ['trusted_proxies', ({ config }) => config.server.trusted_proxies],
  ['allowed_hosts', ({ config }) => config.allowed_hosts],
  ['storage', ({ storage }) => storage],
  ['whether alerts are served', ({ config }) => config.alerts !== undefined],
  ['whether webhooks are served', ({ config }) => servesWebhooks(config)],
  [
    'alerts, except its config and expect',
    ({ config }) => ({
      ...config.alerts,
      config: undefined,
      config_parts: undefined,
      expect: undefined,
    }),
  ],
  ['whether auth is served', ({ config }) => config.auth !== undefined],
  ['auth, except its config', ({ auth }) => auth?.settings],
  ['whether auth.oidc is served', ({ auth }) => auth?.oidc !== undefined],
  ['issuer and base_path of auth.oidc', ({ auth }) => auth?.oidc && placeOf(auth, auth.oidc)],
  ['base_path', ({ config }) => config.webhooks.base_path],
]

/** What apps know of the authorization server, and expect to stay. */
const placeOf = ({ configAt }: LoadedAuth, { issuer, basePath }: OidcSection): object => ({
  issuer: issuer ?? configAt(anyOrigin).http.public_origin,
  basePath,
})

/** Names the settings that differ and take effect only after a restart. */
export function changedFixedSettings(started: LoadedApi, next: LoadedApi): readonly string[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? ''
  return fixed
    .filter(([, value]) => text(value(started)) !== text(value(next)))
    .map(([name]) => name)
}
