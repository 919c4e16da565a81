import type { AlertmanagerGlobal } from '../../fields/written/global.ts'
import type { AlertmanagerReceiver } from '../../receivers/written-receiver.ts'
import type { AlertmanagerEventRecorder, AlertmanagerTracing } from './observability.ts'
import type { AlertmanagerInhibitRule, AlertmanagerRoute } from './route.ts'
import type { AlertmanagerTimeInterval } from './time-interval.ts'

/**
 * The configuration of the alert service as an object, with the keys of `alertmanager.yml`. Durations are texts such as `30s`, `5m`
 * or `1h30m`.
 *
 * @see Alertmanager documentation, "Configuration"
 */
export interface AlertmanagerConfig {
  /** What receivers inherit. */
  readonly global?: AlertmanagerGlobal
  /** The root of the routing tree. It needs a `receiver` and must not have matchers. */
  readonly route: AlertmanagerRoute
  /** Which alerts mute which others (default none). */
  readonly inhibit_rules?: readonly AlertmanagerInhibitRule[]
  /** Whom to notify; routes name them. */
  readonly receivers?: readonly AlertmanagerReceiver[]
  /** Globs of template files; relative ones start from the directory of the configuration (default none). */
  readonly templates?: readonly string[]
  /** The older name of `time_intervals`. */
  readonly mute_time_intervals?: readonly AlertmanagerTimeInterval[]
  /** Times that routes name to be muted or active in (default none). */
  readonly time_intervals?: readonly AlertmanagerTimeInterval[]
  /** Read and checked, without effect. */
  readonly tracing?: AlertmanagerTracing
  /** Read and checked, without effect. */
  readonly event_recorder?: AlertmanagerEventRecorder
}
