import { goQuote } from '@gatehouse/go-template/text'
import {
  type BlockField,
  block,
  type ConfigKind,
  text,
  textMap,
  type YamlMap,
  type YamlValue,
} from '@gatehouse/go-template/yaml'
import { type RateLimitConfig, rateLimit } from '../fields/rate-limit.ts'
import { type Integration, type IntegrationType, kindsInOrder } from './integrations.ts'

/** A receiver with its integrations. @see Alertmanager configuration, `<receiver>` */
export interface ReceiverConfig {
  readonly name: string
  /** Always includes `name`. */
  readonly labels: ReadonlyMap<string, string>
  /** The limit for notifications of each integration. */
  readonly rate_limit?: RateLimitConfig
  /** By type in the order of {@link integrationTypes}, then in the order of the file. */
  readonly integrations: readonly Integration[]
}

type ListName = `${IntegrationType}_configs`

type Lists = Readonly<Record<ListName, readonly object[]>>

/** A receiver as configured. */
export interface WrittenReceiver extends Lists {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly rate_limit?: RateLimitConfig
}

const printOrder = kindsInOrder('print')

/** `<type>_configs` of every kind. */
const listFields = Object.fromEntries(
  printOrder.map(({ type, list }) => [`${type}_configs`, list]),
) as Record<ListName, BlockField<readonly object[]>>

/** An element of `receivers` */
export const receiver: ConfigKind<WrittenReceiver> = block<WrittenReceiver>({
  typeName: 'config.plain',
  fields: {
    name: { kind: text, print: 'always' },
    labels: { kind: textMap },
    rate_limit: { kind: rateLimit },
    ...listFields,
  },
  check({ name, labels }, report) {
    if (name === '') report('missing name in receiver')
    const implied = labels.get('name')
    if (implied !== undefined && implied !== name) {
      const expected = `must match receiver name ${goQuote(name)}, got ${goQuote(implied)}`
      report(`receiver label "name" ${expected}`, 'labels')
    }
  },
})

/** Writes a receiver with its inherited settings. Leaves out labels that were not given. */
export function encodeReceiver(config: ReceiverConfig): YamlMap {
  const entries = new Map<string, YamlValue>([['name', config.name]])
  const labels = textMap.encode(config.labels)
  if (config.labels.size > 1 && labels !== undefined) entries.set('labels', labels)
  const limit = rateLimit.encode(config.rate_limit)
  if (config.rate_limit !== undefined && limit !== undefined) entries.set('rate_limit', limit)
  for (const { type, encode } of printOrder) {
    const ofType = config.integrations.filter((integration) => integration.type === type)
    if (ofType.length > 0)
      entries.set(
        `${type}_configs`,
        ofType.map((one) => encode(one)),
      )
  }
  return entries
}
