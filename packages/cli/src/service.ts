import type { Logger, MetricsRegistry, Route, Running, Storage } from '@gatehouse/core'
import type { StorageHealth } from '@gatehouse/core/store'
import type { ListenPlace } from './server/listen-address.ts'

/** One of the services a Gatehouse server is made of. */
export interface Service {
  /** For the log. */
  readonly name: string
  readonly routes: readonly Route[]
  /** What takes the paths that no service took. */
  readonly fallbackRoutes?: readonly Route[]
  /** What the start line says about it. Holds no secret. */
  readonly summary: Readonly<Record<string, string | number>>
  /** Starts what runs by itself. `places` are those where the server listens by now. */
  start(places: readonly ListenPlace[]): Running
  /** Nothing new is accepted any more: brings requests in flight to their ends. */
  drain?(): Promise<void>
  /** Ends at once what would outlive the program, which ends when this settles or takes too long. */
  abort?(): Promise<void>
  /**
   * Reads its configuration again.
   *
   * @throws {Error} if it is bad; the old one stays.
   */
  reload(): Promise<void>
}

/** What services share. */
export interface ServicePorts {
  readonly storage: Storage
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly health: StorageHealth
}

/** A service whose configuration has been read and is good: nothing has been opened or started for it yet. */
export interface PreparedService {
  create(ports: ServicePorts): Service
}
