import { report } from '../../document/place.ts'
import { filledText, flag, integer, listOf, oneOf, text } from '../../document/values.ts'
import { pathFrom } from '../runner/program/path.ts'
import type {
  AddressRange,
  LoadedWebhooksConfig,
  WebhookHistory,
  WebhookLimits,
} from '../webhook.ts'
import { addressRanges } from './addresses.ts'
import { mappingOf } from './fields.ts'
import { history, limits } from './limits.ts'
import { duration } from './measures.ts'
import { outsidePath, secretText } from './outside-text.ts'
import type { Decode, Place } from './place.ts'
import {
  executor,
  type WebhookSettings,
  type WrittenWebhook,
  webhookDefaults,
  writtenWebhook,
} from './webhook-settings.ts'

type Log = LoadedWebhooksConfig['log']
type Tls = NonNullable<LoadedWebhooksConfig['tls']>

/** A webhook as it is written, and where. */
export interface PlacedWebhook {
  readonly place: Place
  readonly written: Partial<WrittenWebhook>
}

/** The whole document as it is written. */
export interface WrittenService {
  readonly port: number
  readonly webhooks: readonly PlacedWebhook[]
  readonly host: string
  readonly socket: string
  readonly url_prefix: string
  readonly hash_endpoint: boolean
  readonly hide_ids: boolean
  readonly defaults: Partial<WebhookSettings>
  readonly limits: WebhookLimits
  readonly shutdown_grace: number
  readonly executor: LoadedWebhooksConfig['executor']
  readonly watch: boolean
  readonly trusted_proxies: readonly AddressRange[]
  readonly tls: Tls
  /** Its token. */
  readonly admin: string
  readonly history: WebhookHistory
  readonly log: Log
  readonly metrics: boolean
}

const placedWebhook: Decode<PlacedWebhook> = (place) => {
  const written = writtenWebhook(place)
  return written === undefined ? undefined : { place, written }
}

const socket: Decode<string> = (place) => {
  const path = filledText(place)
  return path === undefined ? undefined : pathFrom(place.reading.directory, path)
}

/** Only characters that stand for themselves in a path and in a pattern of paths. */
const urlPrefix: Decode<string> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  const prefix = written.replace(/\/$/, '')
  const isPath = /^(?:\/[\w.~!$&'(),;=@-]+)*$/.test(prefix)
  if (isPath && !/\/\.{1,2}(?:\/|$)/.test(prefix)) return prefix
  return report(place, 'bad_path', 'must be a path such as /hooks')
}

const tlsParts = mappingOf<{
  readonly cert: string
  readonly key: string
  readonly ca: string
  readonly min_version: Tls['min_version']
}>(
  {
    cert: outsidePath,
    key: outsidePath,
    ca: outsidePath,
    min_version: oneOf('1.2', '1.3'),
  },
  { required: ['cert', 'key'] },
)

const tls: Decode<Tls> = (place) => {
  const { cert, key, ca, min_version = '1.2' } = tlsParts(place) ?? {}
  return cert === undefined || key === undefined ? undefined : { cert, key, ca, min_version }
}

const adminParts = mappingOf<{ readonly token: string }>(
  { token: secretText },
  { required: ['token'] },
)

const logParts = mappingOf<Log>({
  format: oneOf('text', 'json'),
  level: oneOf('debug', 'info', 'warn', 'error'),
  run_output: flag,
})

/** How the service logs where a configuration does not say it. */
export const defaultLog: Log = { format: 'text', level: 'info', run_output: false }

/** The whole document. */
export const writtenService: Decode<Partial<WrittenService>> = mappingOf<WrittenService>({
  port: integer(0, 65_535),
  webhooks: listOf(placedWebhook),
  host: filledText,
  socket,
  url_prefix: urlPrefix,
  hash_endpoint: flag,
  hide_ids: flag,
  defaults: webhookDefaults,
  limits,
  shutdown_grace: duration(),
  executor,
  watch: flag,
  trusted_proxies: addressRanges,
  tls,
  admin: (place) => adminParts(place)?.token,
  history,
  log: (place) => ({ ...defaultLog, ...logParts(place) }),
  metrics: flag,
})
