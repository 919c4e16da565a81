import type { AlertmanagerRateLimit } from '../fields/written/rate-limit.ts'
import type { Kind } from './kinds.ts'

type WrittenBy<K> = K extends { readonly written?: infer W extends object } ? W : never

/** The integrations of each kind, such as `webhook_configs`. */
type WrittenLists = {
  readonly [K in Kind as `${K['type']}_configs`]?: readonly WrittenBy<K>[]
}

/** A receiver: its name and its integrations. @see Alertmanager configuration, `<receiver>` */
export interface AlertmanagerReceiver extends WrittenLists {
  /** The name that routes use. */
  readonly name: string
  /** Labels to filter receivers by (default: only `name`). */
  readonly labels?: Readonly<Record<string, string>>
  /** A limit for the notifications of each integration (default none). Not in Alertmanager. */
  readonly rate_limit?: AlertmanagerRateLimit
}
