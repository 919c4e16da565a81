import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import { sortedNames } from '../alert/label-set.ts'
import {
  BrokenMessage,
  instantIn,
  messageIn,
  numberIn,
  numbersIn,
  readMessages,
  textIn,
} from './protobuf.ts'
import { xxhash64 } from './xxhash64.ts'

/** What Alertmanager last told an integration about a group. */
export interface ForeignNotification {
  readonly groupKey: string
  readonly receiver: string
  /** Type and index in the receiver, such as `webhook/0`. */
  readonly integration: string
  readonly at: Instant
  /** Hashes of the alerts that it was told fire: see {@link hashOfAlert}. */
  readonly firing: readonly bigint[]
  readonly resolved: readonly bigint[]
  /** When Alertmanager would have forgotten it. */
  readonly expiresAt: Instant
}

/**
 * Reads the file `nflog` of Alertmanager's data folder.
 *
 * @throws {BrokenMessage}
 * @see Alertmanager, `nflogpb.MeshEntry`
 */
export function* readLogFile(bytes: Uint8Array): Generator<ForeignNotification> {
  for (const message of readMessages(bytes)) {
    const entry = messageIn(message, 1)
    const receiver = entry && messageIn(entry, 2)
    if (entry === undefined || receiver === undefined)
      throw new BrokenMessage('an entry without a receiver')
    const at = instantIn(entry, 5) ?? 0
    // Newer versions list alerts that were held back as well.
    const muted = new Set(numbersIn(entry, 9))
    const told = (field: number) => numbersIn(entry, field).filter((hash) => !muted.has(hash))
    yield {
      groupKey: textIn(entry, 1),
      receiver: textIn(receiver, 1),
      integration: `${textIn(receiver, 2)}/${numberIn(receiver, 3)}`,
      at,
      firing: told(6),
      resolved: told(7),
      expiresAt: instantIn(message, 2) ?? at,
    }
  }
}

const utf8 = new TextEncoder()

/** Alertmanager's hash of an alert in its notification log. @see Alertmanager, `notify.hashAlert` */
export function hashOfAlert(labels: Labels): bigint {
  const separator = Uint8Array.of(0xff)
  const parts = sortedNames(labels).flatMap((name) => [
    utf8.encode(name),
    separator,
    utf8.encode(labels[name]),
    separator,
  ])
  return xxhash64(Buffer.concat(parts))
}
