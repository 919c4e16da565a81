import { sha256Hex } from '../../crypto/crypto.ts'
import type { Revision } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** A state of the service. It is the same in all processes that share a storage and a configuration. */
export interface ChangePosition {
  /** Identifies the configuration, which decides where alerts are routed. */
  readonly config: string
  /** The positions in the feeds of alerts and of silences. */
  readonly alerts: Revision
  readonly silences: Revision
  readonly at: Instant
}

const part = (value: number): string => value.toString(36)

/** A position as the id of an event. */
export const positionText = ({ config, alerts, silences, at }: ChangePosition): string =>
  [config, part(alerts), part(silences), part(at)].join('.')

/** The position in the id of an event; `undefined` if it is not one. */
export function positionOf(text: string): ChangePosition | undefined {
  const [, config, ...parts] =
    /^([0-9a-f]{8})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/.exec(text) ?? []
  if (config === undefined) return undefined
  const [alerts, silences, at] = parts.map((digits) => Number.parseInt(digits, 36))
  if (alerts === undefined || silences === undefined || at === undefined) return undefined
  return [alerts, silences, at].every(Number.isSafeInteger)
    ? { config, alerts, silences, at }
    : undefined
}

/** Identifies a configuration by its text. */
export const configId = ({ original }: { readonly original: string }): string =>
  sha256Hex(original).slice(0, 8)
