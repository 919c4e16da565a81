import type { AlertsContext, AlertsSettings } from '../context.ts'
import { silenceLimitExceeded } from '../errors.ts'
import type { StoredSilence } from '../silence/silence.ts'
import { silenceSize } from '../silence/silence-size.ts'

/** @throws {GatehouseError} `SilenceLimitExceeded` */
export function checkMatcherCount(
  matchers: readonly unknown[],
  { maxMatchersPerSilence: most }: AlertsSettings,
): void {
  if (most === 0 || matchers.length <= most) return
  throw silenceLimitExceeded(
    `silence exceeded maximum number of matchers: ${matchers.length} (limit: ${most})`,
  )
}

/** @throws {GatehouseError} `SilenceLimitExceeded` if there is no room for one more silence, or for `added`. */
export function checkSilenceCount({ board, options }: AlertsContext, added = 1): void {
  const { maxSilences } = options
  const count = board.silences.stored.size
  if (maxSilences === 0 || count + added <= maxSilences) return
  throw silenceLimitExceeded(
    `exceeded maximum number of silences: ${count} (limit: ${maxSilences})`,
  )
}

/** @throws {GatehouseError} `SilenceLimitExceeded` */
export function checkSilenceSize(
  id: string,
  silence: StoredSilence,
  { maxSilenceSizeBytes, retentionMs }: AlertsSettings,
): void {
  if (maxSilenceSizeBytes === 0) return
  const size = silenceSize(id, silence, retentionMs)
  if (size <= maxSilenceSizeBytes) return
  throw silenceLimitExceeded(
    `silence exceeded maximum size: ${size} bytes (limit: ${maxSilenceSizeBytes} bytes)`,
  )
}
