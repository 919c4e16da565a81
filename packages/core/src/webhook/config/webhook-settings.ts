import { report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  filledListOf,
  filledText,
  flag,
  integer,
  knownWord,
  listOf,
  mapOf,
  oneOf,
  scalarAt,
  text,
  textLike,
} from '../../document/values.ts'
import type { CommandArgument, Rule, SignatureOptions, TokenFormat, Webhook } from '../webhook.ts'
import { allowedAddresses } from './addresses.ts'
import { commandArgument } from './command-argument.ts'
import { environmentMap, inheritedNames, valueFiles } from './environment.ts'
import { type Fields, mappingOf } from './fields.ts'
import { responseHeaders } from './headers.ts'
import { duration, durationOrNone, size } from './measures.ts'
import { secretText } from './outside-text.ts'
import type { Decode, Member } from './place.ts'
import { rules } from './rules.ts'
import { signature } from './signature.ts'
import { source, type WrittenSource } from './sources.ts'

/** Bodies and outputs become texts, which the platform bounds. */
export const largestText: number = 256 * 2 ** 20

/** What a webhook may say and `defaults` may say for all. Without a key the default of the documentation counts. */
export interface WebhookSettings {
  readonly command_arguments: readonly CommandArgument[]
  readonly enabled: boolean
  readonly tokens: readonly string[]
  readonly token_format: TokenFormat
  readonly signature: SignatureOptions
  readonly auth: Webhook['auth']
  readonly allow_ips: NonNullable<Webhook['allow_ips']>
  readonly dedupe: NonNullable<Webhook['dedupe']>
  readonly rules: { readonly rule: Rule; readonly mismatch_status: number }
  readonly shell: string
  readonly env: Webhook['env']
  readonly pass_env: Webhook['pass_env']
  readonly stdin: Webhook['stdin']
  readonly files: Webhook['files']
  readonly mode: Webhook['mode']
  /** `null`: none. */
  readonly sync_wait: number | null
  /** `null`: none. */
  readonly timeout: number | null
  readonly kill_grace: number
  readonly concurrency: number
  readonly queue: number
  readonly on_busy: Webhook['on_busy']
  readonly rate_limit: NonNullable<Webhook['rate_limit']>
  readonly include_output: Webhook['include_output']
  readonly output_bytes: number
  readonly output_keep: Webhook['output_keep']
  readonly on_output_limit: Webhook['on_output_limit']
  readonly success_status: number
  readonly failure_status: number
  readonly exit_status_map: Webhook['exit_status_map']
  readonly response: Webhook['response']
  readonly response_headers: Webhook['response_headers']
  readonly on_disconnect: Webhook['on_disconnect']
  readonly leftovers: Webhook['leftovers']
  readonly accept: Webhook['accept']
  readonly body_bytes: number
  readonly executor: Webhook['executor']
}

/** A webhook as it is written. */
export interface WrittenWebhook extends WebhookSettings {
  readonly id: string
  readonly token: string
  readonly execute_command: string
  readonly workdir: string
}

/** `true` and `false` are the words, quoted or not. */
const shell: Decode<string> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'flag') return String(scalar.value)
  const value = filledText(place)
  if (value === undefined || /^(?:auto|false|true)$/.test(value) || value.startsWith('/')) {
    return value
  }
  return report(place, 'bad_path', 'must be auto, false, true, or the absolute path of a shell')
}

const includeOutput: Decode<Webhook['include_output']> = (place) => {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'flag') return scalar.value ? 'always' : 'never'
  const value = text(place)
  return value === undefined ? undefined : knownWord(place, value, ['never', 'on_error', 'always'])
}

const dedupeParts = mappingOf<{ readonly key: WrittenSource; readonly ttl: number }>(
  { key: source, ttl: duration({ least: 1, isAge: true }) },
  { required: ['key'] },
)

const dedupe: Decode<WebhookSettings['dedupe']> = (place) => {
  const { key, ttl = 86_400_000 } = dedupeParts(place) ?? {}
  return key === undefined ? undefined : { from: key.from, ttl }
}

const rateParts = mappingOf<WebhookSettings['rate_limit']>(
  { runs: integer(1), per: duration({ least: 1, isAge: true }) },
  { required: ['runs', 'per'] },
)

const rateLimit: Decode<WebhookSettings['rate_limit']> = (place) => {
  const { runs, per } = rateParts(place) ?? {}
  return runs === undefined || per === undefined ? undefined : { runs, per }
}

function readExitCode({ key, keyPlace }: Member): number | undefined {
  if (/^(?:0|[1-9]\d{0,2})$/.test(key) && Number(key) <= 255) return Number(key)
  return report(keyPlace, 'out_of_range', `${quoteKey(key)} must be an exit code from 0 to 255`)
}

/** Which kind of process runs commands. */
export const executor: Decode<Webhook['executor']> = oneOf('auto', 'direct', 'launcher')

const settings: Fields<WebhookSettings> = {
  command_arguments: listOf(commandArgument),
  enabled: flag,
  tokens: listOf(secretText),
  token_format: oneOf('any', 'plain', 'sha1', 'sha256'),
  signature,
  auth: oneOf('token', 'signature', 'both', 'either'),
  allow_ips: allowedAddresses,
  dedupe,
  rules,
  shell,
  env: environmentMap,
  pass_env: inheritedNames,
  stdin: oneOf('none', 'body', 'data'),
  files: valueFiles,
  mode: oneOf('sync', 'async', 'stream'),
  sync_wait: durationOrNone(),
  timeout: durationOrNone({ least: 1 }),
  kill_grace: duration(),
  concurrency: integer(0),
  queue: integer(0),
  on_busy: oneOf('queue', 'reject', 'latest'),
  rate_limit: rateLimit,
  include_output: includeOutput,
  output_bytes: size(0, largestText),
  output_keep: oneOf('head', 'tail'),
  on_output_limit: oneOf('truncate', 'kill'),
  success_status: integer(200, 299),
  failure_status: integer(400, 599),
  exit_status_map: mapOf(readExitCode, integer(200, 599)),
  response: oneOf('json', 'text'),
  response_headers: responseHeaders,
  on_disconnect: oneOf('continue', 'cancel'),
  leftovers: oneOf('leave', 'kill'),
  accept: filledListOf(oneOf('json', 'form')),
  body_bytes: size(1, largestText),
  executor,
}

const longestId = 128
const id = textLike(
  (value) => [...value.slice(0, 2 * longestId + 1)].length <= longestId && !/\p{Cc}/u.test(value),
  `at most ${longestId} characters, none of them a control character`,
)

const workdir: Decode<string> = (place) => {
  const value = text(place)
  if (value === undefined || !value.startsWith('~')) return value
  return report(place, 'bad_path', 'must not start with ~: nothing expands it')
}

/** The keys of `defaults`. */
export const webhookDefaults: Decode<Partial<WebhookSettings>> = mappingOf<WebhookSettings>(
  settings,
  {
    notes: new Map(
      ['id', 'token', 'execute_command', 'workdir'].map((key) => [
        key,
        'every webhook says its own',
      ]),
    ),
  },
)

/** A webhook and where it stands. */
export const writtenWebhook: Decode<Partial<WrittenWebhook>> = mappingOf<WrittenWebhook>(
  { id, token: secretText, execute_command: filledText, workdir, ...settings },
  { required: ['id', 'token', 'execute_command', 'workdir'] },
)
