import type { Json } from '../../storage/storage.ts'
import type { AuthEvent } from './auth-event.ts'

/**
 * An event as other programs receive it: without absent members, the instant in seconds since the Unix epoch. @see Authgear,
 * webhooks
 */
export function wireEvent({ id, seq, type, payload, context }: AuthEvent): string {
  const { timestamp, ...rest } = context
  const known = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  return JSON.stringify({
    id,
    seq,
    type,
    payload,
    context: { timestamp: Math.floor(timestamp / 1_000), ...Object.fromEntries(known) },
  })
}

/** Parses the answer of a program; `undefined` if it is not JSON. */
export function readWireAnswer(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
