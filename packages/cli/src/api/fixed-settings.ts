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
  ['base_path', ({ config }) => config.webhooks.base_path],
]

/** Names the settings that differ and take effect only after a restart. */
export function changedFixedSettings(started: LoadedApi, next: LoadedApi): readonly string[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? ''
  return fixed
    .filter(([, value]) => text(value(started)) !== text(value(next)))
    .map(([name]) => name)
}
