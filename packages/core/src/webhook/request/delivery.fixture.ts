import { parseJsonText } from '../body/json-text.ts'
import type { Delivery } from './delivery.ts'

/** The content of a {@link sampleDelivery}. */
export interface SampleDelivery {
  /** JSON (default `{}`). */
  readonly body?: string
  readonly rawBody?: Uint8Array | undefined
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly files?: Delivery['files']
}

const ownText = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** A delivery with only this content. */
export function sampleDelivery(sample: SampleDelivery = {}): Delivery {
  const { body = '{}', headers = {}, query = {} } = sample
  return {
    id: 'deploy',
    token: undefined,
    body: parseJsonText(body, 64),
    files: sample.files ?? new Map(),
    rawBody: 'rawBody' in sample ? sample.rawBody : new TextEncoder().encode(body),
    isBodyRebuilt: false,
    method: 'POST',
    header: (name) => ownText(headers, name),
    query: (name) => ownText(query, name),
    headers: () => Object.entries(headers),
    search: new URLSearchParams(query).toString(),
    clientAddress: '192.0.2.7',
    clientPort: 40_000,
    requestId: 'r1',
    trust: 'token-checked',
    hold: { release() {} },
  }
}
