import type { StoredSilence } from './silence.ts'

/** Bytes of a protobuf varint. */
function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  return size
}

/** The size of a length-delimited field with a field number below 16; an empty text is left out. */
function fieldSize(length: number, whenEmpty: 0 | 2 = 0): number {
  return length === 0 ? whenEmpty : 1 + varintSize(length) + length
}

function textSize(text: string): number {
  return fieldSize(Buffer.byteLength(text))
}

/** Bytes of a timestamp message: seconds and nanoseconds, each left out when 0. Negative seconds take ten bytes. */
function timeSize(at: number): number {
  const seconds = Math.floor(at / 1_000)
  const nanos = (at - seconds * 1_000) * 1_000_000
  const secondsSize = seconds === 0 ? 0 : 1 + (seconds < 0 ? 10 : varintSize(seconds))
  return fieldSize(secondsSize + (nanos === 0 ? 0 : 1 + varintSize(nanos)), 2)
}

/**
 * The size of this silence as Alertmanager stores it, in bytes: the unit of the size limit.
 *
 * @see Alertmanager, `MeshSilence` in silence.proto
 */
export function silenceSize(id: string, silence: StoredSilence, retentionMs: number): number {
  let matchers = 0
  for (const { name, value, isRegex, isEqual } of silence.matchers) {
    const type = isRegex || !isEqual ? 2 : 0
    matchers += fieldSize(type + textSize(name) + textSize(value), 2)
  }
  let annotations = 0
  for (const [name, value] of Object.entries(silence.annotations ?? {})) {
    annotations += fieldSize(textSize(name) + textSize(value), 2)
  }
  const inner =
    textSize(id) +
    // Unconfirmed: that Alertmanager stores the matchers twice, in a set and, for older releases, beside it.
    fieldSize(matchers, 2) +
    matchers +
    timeSize(silence.startsAt) +
    timeSize(silence.endsAt) +
    timeSize(silence.updatedAt) +
    textSize(silence.createdBy) +
    textSize(silence.comment) +
    annotations
  return fieldSize(inner, 2) + timeSize(silence.endsAt + retentionMs)
}
