import type { Logger, Route, Running, Storage } from '@gatehouse/core'

/** One of the services a Gatehouse server is made of. */
export interface Service {
  /** For the log. */
  readonly name: string
  readonly routes: readonly Route[]
  /** What takes the paths that no service took. */
  readonly fallbackRoutes?: readonly Route[]
  /** What the start line says about it. Holds no secret. */
  readonly summary: Readonly<Record<string, string | number>>
  /** Starts what runs by itself. */
  start(): Running
  /** Reads its configuration again; a bad one is logged, and the old one stays. */
  reload(): Promise<void>
}

/** A service whose configuration has been read and is good: nothing has been opened or started for it yet. */
export interface PreparedService {
  create(storage: Storage, logger: Logger): Service
}
