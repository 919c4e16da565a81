import {
  formatDuration,
  formatGoDuration,
  parseDuration,
  parseGoDuration,
} from '@gatehouse/go-template/text'
import { type ConfigKind, parsed } from '@gatehouse/go-template/yaml'

/** A duration in Prometheus' syntax, in ms. */
export const duration: ConfigKind<number> = parsed({
  zero: 0,
  parse: parseDuration,
  encode: formatDuration,
})

/** Like {@link duration}; 0 means none and is not written. */
export const durationIfSet: ConfigKind<number> = {
  ...duration,
  encode: (ms) => (ms === 0 ? '' : formatDuration(ms)),
}

/** A duration in Go's syntax, in ms; 0 means none and is not written. */
export const goDuration: ConfigKind<number> = parsed({
  zero: 0,
  typeName: 'config.duration',
  parse: parseGoDuration,
  encode: (ms) => (ms === 0 ? '' : formatGoDuration(ms)),
})
