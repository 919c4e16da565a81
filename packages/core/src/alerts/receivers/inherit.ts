import { type Decoding, keyPlaceOf } from '@gatehouse/go-template/yaml'
import type { ConfigProblem } from '../../document/config-problem.ts'
import type { GlobalConfig } from '../fields/global.ts'
import { type Integration, integrationTypes, kindsInOrder } from './integrations.ts'
import type { ReceiverConfig, WrittenReceiver } from './receiver.ts'

/** Reports a problem that concerns several blocks, at one decoded block and one of its keys. */
export type ReportAt = (origin: object, message: string, key?: string) => void

/** Adds to `problems`, with the place of the origin in the document. */
export function reportInto(decoding: Decoding, problems: ConfigProblem[]): ReportAt {
  return (origin, message, key) => {
    const block = decoding.origins.get(origin)
    const place = block === undefined ? undefined : keyPlaceOf(block, key)
    const { line, column } = place?.node ?? { line: 1, column: 1 }
    problems.push({ path: place?.path ?? '', line, column, message })
  }
}

/** Fills in what the integrations of a receiver inherit from `global`. Reports settings that are missing in both. */
export function inheritGlobal(
  written: WrittenReceiver,
  global: GlobalConfig,
  report: ReportAt,
): ReceiverConfig {
  const byType = new Map<string, readonly Integration[]>()
  for (const kind of kindsInOrder('check')) {
    const list = written[`${kind.type}_configs`]
    const integrations = list.map((element, index) =>
      kind.inherit(element, index, global, (message, key) => report(element, message, key)),
    )
    byType.set(kind.type, integrations)
  }
  return {
    name: written.name,
    labels: new Map([['name', written.name], ...written.labels]),
    ...(written.rate_limit === undefined ? {} : { rate_limit: written.rate_limit }),
    integrations: integrationTypes.flatMap((type) => byType.get(type) ?? []),
  }
}
