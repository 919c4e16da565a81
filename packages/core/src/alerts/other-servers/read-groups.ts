import { parseJsonInSteps } from '@gatehouse/go-template/json'
import { inSlices, mapInSteps } from '../../async/slices.ts'
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

const list = listOf((value) => value)

/** Its alerts are decoded one by one: there may be tens of thousands in one group. */
const group = objectOf<Omit<wire.AlertGroup, 'alerts'> & { alerts: readonly unknown[] }>({
  labels,
  receiver,
  routeLabels: optional(labels),
  alerts: list,
})

/** Groups, the members of a group, its alerts. */
const walkedLevels = 3

/**
 * Decodes the alert groups of a server's answer. Members that are not known are dropped.
 *
 * @throws {Error} if it is something else.
 */
export function readGroups(text: string): Promise<readonly wire.AlertGroup[]> {
  return inSlices(groupsIn(text))
}

function* groupsIn(text: string): Generator<void, wire.AlertGroup[]> {
  const decoded: wire.AlertGroup[] = []
  for (const one of list(yield* parseJsonInSteps(text, walkedLevels))) {
    const { alerts, ...rest } = group(one)
    decoded.push({ ...rest, alerts: yield* mapInSteps(alerts, alert) })
    yield
  }
  return decoded
}
