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
  /** Defaults for receivers. */
  readonly global?: AlertmanagerGlobal
  /** The root of the routing tree. It needs a `receiver` and must not have matchers. */
  readonly route: AlertmanagerRoute
  /** Alerts that mute other alerts (default none). */
  readonly inhibit_rules?: readonly AlertmanagerInhibitRule[]
  /** The receivers that routes name. */
  readonly receivers?: readonly AlertmanagerReceiver[]
  /** Globs of template files; relative ones are resolved against the directory of the configuration (default none). */
  readonly templates?: readonly string[]
  /** The old name of `time_intervals`. */
  readonly mute_time_intervals?: readonly AlertmanagerTimeInterval[]
  /** Time intervals in which routes are muted or active (default none). */
  readonly time_intervals?: readonly AlertmanagerTimeInterval[]
  /** Where the command sends traces. A program passes a `tracer` instead. */
  readonly tracing?: AlertmanagerTracing
  /** What the command, or {@link startEventRecorder}, does with events. */
  readonly event_recorder?: AlertmanagerEventRecorder
}
