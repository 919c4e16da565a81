import { duration, durationOrNone, size } from '../../document/measures.ts'
import { secretText } from '../../document/outside-text.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  type Fields,
  filledListOf,
  filledText,
  flag,
  integer,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  parsed,
  parsedText,
  required,
  type Schema,
  textLike,
  unknownWord,
  withDefault,
  withoutDefaults,
  wrongType,
} from '../../document/schema.ts'
import type { Webhook } from '../webhook.ts'
import { allowedAddresses } from './addresses.ts'
import { commandArgument } from './command-argument.ts'
import { environmentMap, inheritedNames, valueFiles } from './environment.ts'
import { responseHeaders } from './headers.ts'
import { rules } from './rules.ts'
import { signature } from './signature.ts'
import { source, type WrittenSource } from './sources.ts'

/** Bodies and outputs become texts, which the platform bounds. */
export const largestText: number = 256 * 2 ** 20

/** What all webhooks may say, and `defaults` for all of them. */
export interface WebhookSettings
  extends Omit<
    Webhook,
    'id' | 'token' | 'execute_command' | 'workdir' | 'command' | 'auth' | 'dedupe' | 'executor'
  > {
  readonly tokens: readonly string[]
  readonly token_format: 'any' | 'plain' | 'sha1' | 'sha256'
  readonly auth: Webhook['auth'] | undefined
  readonly dedupe: { readonly key: WrittenSource; readonly ttl: number } | undefined
  readonly shell: string
  readonly executor: Webhook['executor'] | undefined
}

/** A webhook as it is written. */
export interface WrittenWebhook extends Partial<WebhookSettings> {
  readonly id: string
  readonly token: string
  readonly execute_command: string
  readonly workdir: string
}

/** `true` and `false` are the words, quoted or not. */
const shell: Schema<string> = parsed({ type: ['string', 'boolean'] }, (given, report) => {
  if (typeof given === 'boolean') return String(given)
  if (typeof given !== 'string') return report('wrong_type', wrongType(given, 'text'))
  if (/^(?:auto|false|true)$/.test(given) || /^\/[^\0]*$/.test(given)) return given
  return report('bad_path', 'must be auto, false, true, or the absolute path of a shell')
})

const outputWords = ['never', 'on_error', 'always'] as const

const includeOutput: Schema<Webhook['include_output']> = parsed(
  { enum: [...outputWords, true, false] },
  (given, report) => {
    if (typeof given === 'boolean') return given ? 'always' : 'never'
    if (typeof given !== 'string') return report('wrong_type', wrongType(given, 'text'))
    const word = outputWords.find((one) => one === given)
    return word ?? report('out_of_range', unknownWord(given, outputWords))
  },
)

const exitCode: Schema<number> = keyOf((key, report) => {
  if (/^(?:0|[1-9]\d{0,2})$/.test(key) && Number(key) <= 255) return Number(key)
  return report('out_of_range', `${quoteKey(key)} must be an exit code from 0 to 255`)
})

/** Which kind of process runs commands. */
export const executor: Schema<Webhook['executor']> = oneOf('auto', 'direct', 'launcher')

/** The optional keys of a webhook, with the defaults that count where neither it nor `defaults` says anything. */
export const settingFields: Fields<WebhookSettings> = {
  command_arguments: withDefault(
    listOf(commandArgument),
    [],
    'The arguments that a request fills in.',
  ),
  enabled: withDefault(flag, true, '`false`: as if the webhook did not exist.'),
  tokens: withDefault(
    listOf(secretText),
    [],
    'Further tokens that open the webhook, while one replaces another.',
  ),
  token_format: withDefault(
    oneOf('any', 'plain', 'sha1', 'sha256'),
    'any',
    'Which form of the token a request sends; `any` is plain or SHA-1.',
  ),
  signature: optional(signature, 'How senders sign. Default: they do not.'),
  auth: optional(
    oneOf('token', 'signature', 'both', 'either'),
    'What a request must have. Default: `signature` if there is one, else `token`.',
  ),
  allow_ips: optional(
    allowedAddresses,
    'Only these addresses and prefixes may send requests. Default: all.',
  ),
  dedupe: optional(
    mapping(
      {
        key: required(source, 'Where the key is found, as `header:X-GitHub-Delivery`.'),
        ttl: withDefault(duration({ least: 1, isAge: true }), '24h', 'How long a key counts.'),
      },
      { title: 'WebhookDedupe' },
    ),
    'Which requests repeat an earlier one and start no run of their own. Default: none.',
  ),
  rules: optional(rules, 'What must be true of a request. Default: nothing.'),
  shell: withDefault(
    shell,
    'auto',
    'Which shell runs the command: the path of one, `/bin/sh` (`true`), none (`false`), or `/bin/sh` where the command needs it (`auto`).',
  ),
  env: withDefault(
    environmentMap,
    {},
    'Variables that are set for the command, by name: a text, `{env}` or `{file}` for a value from outside, or `{source, default}` for one of the request.',
  ),
  pass_env: withDefault(
    inheritedNames,
    [],
    'Variables of the server that the command inherits beside a few such as `PATH`; `*` is all of them.',
  ),
  stdin: withDefault(
    oneOf('none', 'body', 'data'),
    'none',
    'What the command reads: nothing, the bytes of the request, or its data as JSON.',
  ),
  files: withDefault(valueFiles, [], 'Values of the request that the command reads from files.'),
  mode: withDefault(
    oneOf('sync', 'async', 'stream'),
    'sync',
    'Whether the answer waits for the run (`sync`), does not (`async`), or is its output as it comes (`stream`).',
  ),
  sync_wait: withDefault(
    durationOrNone(),
    'none',
    'In `sync`: after this time there is an answer, whether the run has ended or not.',
  ),
  timeout: withDefault(
    durationOrNone({ least: 1 }),
    '10m',
    'How long the command may take, or `none`.',
  ),
  kill_grace: withDefault(duration(), '5s', 'How long from SIGTERM to SIGKILL.'),
  concurrency: withDefault(
    integer(0),
    1,
    'How many runs there are at once, over all processes; 0 for no limit of its own.',
  ),
  queue: withDefault(integer(0), 100, 'How many runs wait at most.'),
  on_busy: withDefault(
    oneOf('queue', 'reject', 'latest'),
    'queue',
    'What happens to one run too many: it waits (`queue`), is refused with 429 (`reject`), or replaces the waiting ones (`latest`).',
  ),
  rate_limit: optional(
    mapping(
      {
        runs: required(integer(1), 'How many runs.'),
        per: required(duration({ least: 1, isAge: true }), 'In which time.'),
      },
      { title: 'WebhookRateLimit' },
    ),
    'How many runs may begin in a length of time. Default: no limit.',
  ),
  include_output: withDefault(
    includeOutput,
    'never',
    'Whether answers have `stdout` and `stderr`; `true` is `always`, `false` is `never`.',
  ),
  output_bytes: withDefault(size(0, largestText), '1MiB', 'How much of each output is kept.'),
  output_keep: withDefault(oneOf('head', 'tail'), 'head', 'Which end of an output is kept.'),
  on_output_limit: withDefault(
    oneOf('truncate', 'kill'),
    'truncate',
    'Whether more output than that is cut off or ends the command.',
  ),
  success_status: withDefault(
    integer(200, 299),
    200,
    'The status of the answer to a run that succeeded.',
  ),
  failure_status: withDefault(
    integer(400, 599),
    500,
    'The status of the answer to a run that failed.',
  ),
  exit_status_map: withDefault(
    mapOf(exitCode, integer(200, 599)),
    {},
    'Statuses of answers by exit code.',
  ),
  response: withDefault(
    oneOf('json', 'text'),
    'json',
    '`text`: the answer is the output of the command.',
  ),
  response_headers: withDefault(responseHeaders, {}, 'Headers that answers have, by name.'),
  on_disconnect: withDefault(
    oneOf('continue', 'cancel'),
    'continue',
    'Whether a run ends when nobody waits for its answer any longer.',
  ),
  leftovers: withDefault(
    oneOf('leave', 'kill'),
    'leave',
    'Whether processes that the command left behind end with it.',
  ),
  accept: withDefault(
    filledListOf(oneOf('json', 'form')),
    ['json'],
    'Which bodies are accepted where the id is in the path.',
  ),
  body_bytes: optional(
    size(1, largestText),
    'How large a body may be where the id is in the path. Default: as `limits` says.',
  ),
  executor: optional(
    executor,
    'Which kind of process starts the command. Default: as for the whole service.',
  ),
}

const longestId = 128
const id = textLike(
  (value) => [...value.slice(0, 2 * longestId + 1)].length <= longestId && !/\p{Cc}/u.test(value),
  `at most ${longestId} characters, none of them a control character`,
)

const workdir: Schema<string> = parsedText((value, report) =>
  value.startsWith('~') ? report('bad_path', 'must not start with ~: nothing expands it') : value,
)

const ownKeys = ['id', 'token', 'execute_command', 'workdir']

/** The section `defaults`. */
export const webhookDefaults: Schema<Partial<WebhookSettings>> = mapping(
  withoutDefaults(settingFields),
  {
    title: 'WebhookDefaults',
    notes: new Map(ownKeys.map((key) => [key, 'every webhook has its own'])),
  },
)

/** A webhook. */
export const writtenWebhook: Schema<WrittenWebhook> = mapping<WrittenWebhook>(
  {
    id: required(id, 'At most 128 characters.'),
    token: required(
      secretText,
      'What opens the webhook and the records of its runs; may be `sha256:` and the digest in hex.',
    ),
    execute_command: required(filledText, 'The command and its fixed arguments.'),
    workdir: required(
      workdir,
      'Where the command runs. Empty for the working directory of the server; a relative one counts from the file.',
    ),
    ...withoutDefaults(settingFields),
  },
  { title: 'WebhookDefinition' },
)
