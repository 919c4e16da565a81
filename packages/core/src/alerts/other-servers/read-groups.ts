import { isPauseDue, pause } from '../../async/slices.ts'
import {
  anyText,
  type Decode,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'
import type * as wire from '../wire/types.generated.ts'

type Status = wire.AlertStatus

const texts = listOf(anyText)
const labels = recordOf(anyText)
const receiver = objectOf<wire.Receiver>({ name: anyText, labels: optional(labels) })

const instant: Decode<string> = (value) =>
  Number.isNaN(Date.parse(rawText(value))) ? refuse('an instant', value) : rawText(value)

/** Alertmanager knows the intervals that mute a group since 0.28. */
const names: Decode<string[]> = (value) => (value === undefined ? [] : texts(value))

const alert = objectOf<wire.Alert>({
  labels,
  annotations: labels,
  generatorURL: optional(anyText),
  receivers: listOf(receiver),
  fingerprint: anyText,
  startsAt: instant,
  updatedAt: instant,
  endsAt: instant,
  status: objectOf<Status>({
    state: oneOf(['unprocessed', 'active', 'suppressed']),
    silencedBy: texts,
    inhibitedBy: texts,
    mutedBy: names,
  }),
  acknowledgement: optional(
    objectOf<wire.Acknowledgement>({
      by: anyText,
      comment: anyText,
      since: instant,
      until: optional(instant),
    }),
  ),
})

const group = objectOf<wire.AlertGroup>({
  labels,
  receiver,
  routeLabels: optional(labels),
  alerts: listOf(alert),
})

const groups = listOf((value) => value)

/**
 * Decodes the alert groups of a server's answer. Members that are not known are dropped.
 *
 * @throws {Error} if it is something else.
 */
export async function readGroups(text: string): Promise<readonly wire.AlertGroup[]> {
  const decoded: wire.AlertGroup[] = []
  for (const one of groups(JSON.parse(text))) {
    decoded.push(group(one))
    if (isPauseDue()) await pause()
  }
  return decoded
}
