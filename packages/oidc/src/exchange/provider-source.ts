import type { OidcSettings } from '../config/settings.ts'
import type { LoadedProvider } from './dispatch.ts'

/** The server as it is now: its settings change while it runs. */
export interface ProviderSource {
  readonly settings: OidcSettings
  load(): Promise<LoadedProvider>
}
