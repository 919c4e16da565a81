import { goJson, joinBytes } from '@gatehouse/go-template/json'
import type * as wire from '../wire/types.generated.ts'

const alertsPerPiece = 50

/** The JSON of {@link wire.OtherAlertGroups}, in slices: there may be tens of thousands of alerts in one group. */
export function* otherGroupsJson({
  items,
}: wire.OtherAlertGroups): Generator<void, Uint8Array<ArrayBuffer>> {
  const pieces = [Buffer.from('{"items":[')]
  for (const [index, { alerts, ...group }] of items.entries()) {
    // The alerts are its last member.
    const start = goJson({ ...group, alerts: [] }).slice(0, -']}'.length)
    pieces.push(Buffer.from(index === 0 ? start : `,${start}`))
    for (let from = 0; from < alerts.length; from += alertsPerPiece) {
      const piece = alerts
        .slice(from, from + alertsPerPiece)
        .map(goJson)
        .join(',')
      pieces.push(Buffer.from(from === 0 ? piece : `,${piece}`))
      yield
    }
    pieces.push(Buffer.from(']}'))
  }
  pieces.push(Buffer.from(']}\n'))
  return yield* joinBytes(pieces)
}
