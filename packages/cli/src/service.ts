import type {
  DescribedService,
  Logger,
  MetricsRegistry,
  Route,
  Running,
  Storage,
  Tracer,
} from '@gatehouse/core'
import type { Authorize, Caller, Subject, WhoAmI } from '@gatehouse/core/adapter'
import type { StorageHealth } from '@gatehouse/core/store'
import type { FindSession, SignedIn } from './access/identify.ts'
import type { ListenPlace } from './server/listen-address.ts'

/** One of the services of a Gatehouse server. */
export interface Service extends DescribedService {
  /** For the log. */
  readonly name: string
  readonly routes: readonly Route[]
  /** The path below which its routes are: empty, or starts with `/` (default: empty). */
  readonly basePath?: string
  /** Routes for paths that no service serves. */
  readonly fallbackRoutes?: readonly Route[]
  /** Fields for the start log line. Holds no secret. */
  readonly summary: Readonly<Record<string, string | number>>
  /** Who sends a request, and what the sender may do at this server. */
  readonly whoAmI: (caller: Caller) => Promise<WhoAmI>
  /** Finds the session of a request, if the service has sessions. */
  readonly findSession?: FindSession
  /** Starts background work. `places` are the addresses where the server now listens. */
  start(places: readonly ListenPlace[]): Running
  /** Finishes requests in flight. The server accepts no new ones by then. */
  drain?(): Promise<void>
  /** Ends at once everything that would outlive the program, which exits when this settles or takes too long. */
  abort?(): Promise<void>
  /**
   * Reloads its configuration.
   *
   * @throws {Error} if it is bad; the old one stays.
   */
  reload(): Promise<void>
}

/** Ports shared by the services. */
export interface ServicePorts {
  readonly storage: Storage
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly health: StorageHealth
  /** Decides who may do what (default: any sender may do everything). */
  readonly authorize?: Authorize
  /** Turns a signed-in person into the subject that `authorize` knows (default: people have no subject). */
  readonly subjectOf?: (person: SignedIn) => Subject | undefined
  /** Traces what the services do (default: nothing is traced). */
  readonly tracer?: Tracer
}

/** A service with a good configuration. Nothing has been opened or started for it yet. */
export interface PreparedService {
  create(ports: ServicePorts): Service
}
