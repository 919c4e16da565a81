import type { Instant } from '../../time/clock.ts'
import type { StoredSilence, WireMatcher } from '../silence/silence.ts'
import {
  BrokenMessage,
  instantIn,
  type Message,
  messageIn,
  messagesIn,
  numberIn,
  readMessages,
  textIn,
} from './protobuf.ts'

/** A silence of Alertmanager. */
export interface ForeignSilence {
  readonly id: string
  readonly silence: StoredSilence
  /** When Alertmanager would have forgotten it. */
  readonly expiresAt: Instant
}

/** Alertmanager's types of matchers, by their number. */
const types: readonly Pick<Required<WireMatcher>, 'isRegex' | 'isEqual'>[] = [
  { isRegex: false, isEqual: true },
  { isRegex: true, isEqual: true },
  { isRegex: false, isEqual: false },
  { isRegex: true, isEqual: false },
]

/**
 * Reads the file `silences` of Alertmanager's data folder.
 *
 * @throws {BrokenMessage}
 * @see Alertmanager, `silencepb.MeshSilence`
 */
export function* readSilenceFile(bytes: Uint8Array): Generator<ForeignSilence> {
  for (const message of readMessages(bytes)) {
    const silence = messageIn(message, 1)
    if (silence === undefined) throw new BrokenMessage('a silence without content')
    const stored = silenceOf(silence)
    yield {
      id: textIn(silence, 1),
      silence: stored,
      expiresAt: instantIn(message, 2) ?? stored.endsAt,
    }
  }
}

function silenceOf(silence: Message): StoredSilence {
  // Old versions kept author and comment in a list.
  const [comment] = messagesIn(silence, 7)
  const startsAt = instantIn(silence, 3) ?? 0
  return {
    matchers: messagesIn(silence, 2).map(matcherOf),
    startsAt,
    endsAt: instantIn(silence, 4) ?? startsAt,
    updatedAt: instantIn(silence, 5) ?? startsAt,
    createdBy: textIn(silence, 8) || (comment === undefined ? '' : textIn(comment, 1)),
    comment: textIn(silence, 9) || (comment === undefined ? '' : textIn(comment, 2)),
  }
}

function matcherOf(matcher: Message): Required<WireMatcher> {
  const type = types[Number(numberIn(matcher, 1))]
  if (type === undefined) throw new BrokenMessage('a matcher of an unknown type')
  return { name: textIn(matcher, 2), value: textIn(matcher, 3), ...type }
}
