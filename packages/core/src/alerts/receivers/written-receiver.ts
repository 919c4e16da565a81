import type { Kind } from './integrations.ts'

type WrittenBy<K> = K extends { readonly written?: infer W extends object } ? W : never

/** The integrations of each kind, as `webhook_configs`. */
type WrittenLists = {
  readonly [K in Kind as `${K['type']}_configs`]?: readonly WrittenBy<K>[]
}

/** Whom to notify and how. @see Alertmanager configuration, `<receiver>` */
export interface AlertmanagerReceiver extends WrittenLists {
  /** What routes refer to it by. */
  readonly name: string
  /** Labels for filters of receivers (default: `name` alone). */
  readonly labels?: Readonly<Record<string, string>>
}
