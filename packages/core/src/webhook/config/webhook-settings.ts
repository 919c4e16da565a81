import { duration, durationOrNone, size } from '../../document/measures.ts'
import { filledOutsideText, plainOutsideText, secretText } from '../../document/outside-text.ts'
import {
  type Fields,
  filledListOf,
  flag,
  integer,
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
  withDefault,
  withoutDefaults,
  wrongType,
} from '../../document/schema.ts'
import { bodyFormats, deliveryMethods, type ValueChecks, type Webhook } from '../webhook.ts'
import { allowedAddresses } from './addresses.ts'
import { directAnswers, exitCode, includeOutput, response } from './answers.ts'
import { commandArgument } from './command-argument.ts'
import { deliveryPath } from './delivery-path.ts'
import { environmentMap, inheritedNames, valueFiles } from './environment.ts'
import { foreignWebhookKeys } from './foreign-keys.ts'
import { formRules } from './form-rules.ts'
import { responseHeaders } from './headers.ts'
import type { WrittenValues } from './missing-values.ts'
import { after, retries, schedule } from './planned-runs.ts'
import { rules } from './rules.ts'
import { sender, type WrittenSender } from './sender.ts'
import { signature } from './signature.ts'
import { source, type WrittenSource } from './sources.ts'
import { tokenPlace } from './token-place.ts'

/** Bodies and outputs become strings, whose length the platform limits. */
export const maxTextBytes: number = 256 * 2 ** 20

/** The optional keys of webhooks, also for `defaults`. */
export interface WebhookSettings
  extends Omit<
      Webhook,
      | 'id'
      | 'path'
      | 'public'
      | 'token'
      | 'execute_command'
      | 'workdir'
      | 'command'
      | 'auth'
      | 'dedupe'
      | 'sender'
      | 'executor'
      | keyof WrittenValues
    >,
    WrittenValues {
  readonly on_missing: ValueChecks['on_missing']
  readonly allow_dash: boolean
  readonly tokens: readonly string[]
  readonly token_format: 'any' | 'plain' | 'sha1' | 'sha256'
  readonly auth: Webhook['auth'] | undefined
  readonly dedupe: { readonly key: WrittenSource; readonly ttl: number } | undefined
  readonly sender: WrittenSender | undefined
  readonly shell: string
  readonly executor: Webhook['executor'] | undefined
}

/** A webhook as written. */
export interface WrittenWebhook extends Partial<WebhookSettings> {
  readonly id: string
  readonly path: string | undefined
  readonly public: boolean | undefined
  readonly token: string | undefined
  readonly execute_command: string
  readonly workdir: string
}

/** `true` and `false` may be quoted or not. */
const shell: Schema<string> = parsed({ type: ['string', 'boolean'] }, (given, report) => {
  if (typeof given === 'boolean') return String(given)
  if (typeof given !== 'string') return report('wrong_type', wrongType(given, 'text'))
  if (/^(?:auto|false|true)$/.test(given) || /^\/[^\0]*$/.test(given)) return given
  return report('bad_path', 'must be auto, false, true, or the absolute path of a shell')
})

/** The kind of process that runs commands. */
export const executor: Schema<Webhook['executor']> = oneOf('auto', 'direct', 'launcher')

/** The optional keys of a webhook, with their defaults if neither it nor `defaults` sets them. */
export const settingFields: Fields<WebhookSettings> = {
  command_arguments: withDefault(
    listOf(commandArgument),
    [],
    'Arguments with values from the request.',
  ),
  methods: withDefault(
    filledListOf(oneOf(...deliveryMethods)),
    ['POST'],
    'The methods of requests that name the webhook by path. The data of `GET` and `HEAD` are the query.',
  ),
  on_missing: withDefault(
    oneOf('error', 'skip', 'empty'),
    'error',
    'What happens without a value of the request for an argument, a variable or a file that does not say it: `error` refuses the request, `skip` leaves it out, `empty` is an empty value.',
  ),
  allow_dash: withDefault(
    flag,
    false,
    'Whether values may start an argument with `-`, where the argument does not say it.',
  ),
  enabled: withDefault(flag, true, '`false`: as if the webhook did not exist.'),
  tokens: withDefault(listOf(secretText), [], 'More tokens, to rotate them.'),
  token_format: withDefault(
    oneOf('any', 'plain', 'sha1', 'sha256'),
    'any',
    'The form of the token in requests; `any` is plain or SHA-1.',
  ),
  token_in: optional(
    tokenPlace,
    'Where requests by path have the token, besides `Authorization: Bearer` and `X-Webhook-Token`: one of `{ header: X-Gitlab-Token }`, `{ query: token }`, `{ path: true }`, and `{ basic: true }`, the password of Basic authentication.',
  ),
  signature: optional(signature, 'How to verify signatures. Default: signatures are not checked.'),
  sender: optional(
    sender,
    'Who sends: a name such as `github`, or `{ name: github, secret: … }`. It brings the signature, the answers to pings and challenges, and the settings that the sender needs; settings of the webhook win. Default: any sender.',
  ),
  auth: optional(
    oneOf('token', 'signature', 'both', 'either', 'none'),
    'The required proof. `none` needs `allow_ips`, a rule on a value, a signature or an address, or `public: true`. Default: `signature` if one is configured, else `token`.',
  ),
  allow_ips: optional(
    allowedAddresses,
    'Only these addresses and prefixes may send requests. Default: all.',
  ),
  dedupe: optional(
    mapping(
      {
        key: required(source, 'The place of the key, such as `header:X-GitHub-Delivery`.'),
        ttl: withDefault(
          duration({ least: 1, isAge: true, takesSeconds: true }),
          '24h',
          'How long to remember a key.',
        ),
      },
      { title: 'WebhookDedupe' },
    ),
    'Recognizes repeated deliveries, which start no run of their own. Default: off.',
  ),
  rules: optional(rules, 'The condition on requests. Default: none.'),
  shell: withDefault(
    shell,
    'auto',
    'The shell for the command: its path, `/bin/sh` (`true`), none (`false`), or `/bin/sh` if the command needs it (`auto`).',
  ),
  env: withDefault(
    environmentMap,
    {},
    'Variables of the command by name: a text, `{env}` or `{file}` for a value from outside, or `{source, default}` for a value of the request.',
  ),
  pass_env: withDefault(
    inheritedNames,
    [],
    'Variables of the server that the command inherits besides a few such as `PATH`; `*` means all.',
  ),
  stdin: withDefault(
    oneOf('none', 'body', 'data'),
    'none',
    'The standard input: nothing, the bytes of the request body, or its data as JSON.',
  ),
  files: withDefault(
    valueFiles,
    [],
    'Values of the request that are written to files for the command.',
  ),
  mode: withDefault(
    oneOf('sync', 'async', 'stream'),
    'sync',
    'Whether the answer waits for the run (`sync`), does not (`async`), or streams its output (`stream`).',
  ),
  sync_wait: withDefault(
    durationOrNone(),
    'none',
    'In `sync`: answer after this time, even if the run has not ended.',
  ),
  timeout: withDefault(
    durationOrNone({ least: 1 }),
    '10m',
    'The maximum duration of the command, or `none`.',
  ),
  kill_grace: withDefault(
    duration({ takesSeconds: true }),
    '5s',
    'The time between SIGTERM and SIGKILL.',
  ),
  retries: optional(
    retries,
    'Starts the command again if its run fails. Default: it is started once.',
  ),
  schedule: optional(schedule, 'When to run without a delivery. Default: never.'),
  after: optional(after, 'The webhook after whose runs this one runs. Default: none.'),
  on_alert: withDefault(
    flag,
    false,
    'Whether receivers of alerts may run it, with `webhook_run_configs`.',
  ),
  concurrency: withDefault(
    integer(0),
    1,
    'The maximum number of concurrent runs, across all processes; 0 for no limit of its own.',
  ),
  queue: withDefault(integer(0), 1_000, 'The maximum number of waiting runs.'),
  on_busy: withDefault(
    oneOf('queue', 'reject', 'latest'),
    'queue',
    'What to do with a run over the limit: it waits (`queue`), is refused with 429 (`reject`), or replaces the waiting ones (`latest`).',
  ),
  rate_limit: optional(
    mapping(
      {
        runs: required(integer(1), 'The number of runs.'),
        per: required(duration({ least: 1, isAge: true, takesSeconds: true }), 'The period.'),
      },
      { title: 'WebhookRateLimit' },
    ),
    'The maximum number of runs that may be made in a period; deliveries that make none do not count. Default: no limit.',
  ),
  include_output: withDefault(
    includeOutput,
    'never',
    'Whether answers include `stdout` and `stderr`; `true` is `always`, `false` is `never`.',
  ),
  stderr: withDefault(
    oneOf('separate', 'stdout'),
    'separate',
    '`stdout`: what the command writes to `stderr` is in `stdout`, in the order of writing.',
  ),
  output_bytes: withDefault(size(0, maxTextBytes), '1MiB', 'How much of each output to keep.'),
  output_keep: withDefault(oneOf('head', 'tail'), 'head', 'Which end of an output to keep.'),
  on_output_limit: withDefault(
    oneOf('truncate', 'kill'),
    'truncate',
    'Whether more output is cut off (`truncate`) or ends the command (`kill`).',
  ),
  success_status: withDefault(
    integer(200, 399),
    200,
    'The status of the answer if the run succeeds, from 200 to 399.',
  ),
  failure_status: withDefault(
    integer(400, 599),
    500,
    'The status of the answer if the run fails, from 400 to 599.',
  ),
  exit_status_map: withDefault(
    mapOf(exitCode, integer(200, 599)),
    {},
    'The status of the answer by exit code, from 200 to 599.',
  ),
  response: withDefault(
    response,
    'json',
    '`text`: the answer is the output of the command, byte for byte. `{ text: OK }`: this text, if the run succeeds, or at once with `mode: async`.',
  ),
  answers: withDefault(
    directAnswers,
    [],
    'Answers that need no run, such as those to the challenge of a sender. The first whose `when` is satisfied counts.',
  ),
  response_headers: withDefault(
    responseHeaders,
    {},
    'Headers of all answers of the webhook, by name, also of refusals.',
  ),
  on_disconnect: withDefault(
    oneOf('continue', 'cancel'),
    'continue',
    'Whether a run is canceled when its last waiting client disconnects.',
  ),
  leftovers: withDefault(
    oneOf('leave', 'kill'),
    'leave',
    'Whether to kill processes that the command left behind.',
  ),
  accept: withDefault(
    filledListOf(oneOf(...bodyFormats)),
    ['json'],
    'The accepted types of bodies if the path contains the id: `json`, `form` (urlencoded), `text` (JSON as `text/plain`), `multipart` (with files), `xml`, and `any` for all others, which have no data.',
  ),
  form: withDefault(formRules, {}, 'How the fields of a form become data.'),
  max_body_bytes: optional(
    size(1, maxTextBytes),
    'The largest body if the path contains the id. Default: the limit of the service.',
  ),
  executor: optional(
    executor,
    'The kind of process that starts the command. Default: that of the service.',
  ),
}

const maxIdLength = 128
const id = textLike(
  (value) =>
    [...value.slice(0, 2 * maxIdLength + 1)].length <= maxIdLength &&
    !/\p{Cc}/u.test(value) &&
    // A client or a proxy removes these from a path.
    !/^\.\.?$/.test(value),
  `a text of at most ${maxIdLength} characters without control characters, and not . or ..`,
)

const workdir: Schema<string> = parsedText(
  (value, report) =>
    value.startsWith('~')
      ? report('bad_path', 'must not start with ~, because it is not expanded')
      : value,
  plainOutsideText,
)

const ownKeys = ['id', 'path', 'public', 'token', 'execute_command', 'workdir']

/** The section `defaults`. */
export const webhookDefaults: Schema<Partial<WebhookSettings>> = mapping(
  withoutDefaults(settingFields),
  {
    title: 'WebhookDefaults',
    notes: new Map([
      ...foreignWebhookKeys,
      ...ownKeys.map((key) => [key, 'every webhook has its own'] as const),
    ]),
  },
)

/** A webhook. */
export const writtenWebhook: Schema<WrittenWebhook> = mapping<WrittenWebhook>(
  {
    id: required(id, 'At most 128 characters.'),
    path: optional(
      deliveryPath,
      'A path besides `/webhook/` and the id, such as `/hooks/redeploy`, below `base_path`. Default: none.',
    ),
    token: optional(
      secretText,
      'Gives access to the webhook and to the records of its runs; may be `sha256:` and the digest in hex. Needed unless a signature is the only proof, or `auth` is `none`; without it, only `admin` has access to the records.',
    ),
    public: optional(
      flag,
      '`true`, beside `auth: none`: any sender that reaches the server may run the webhook. Default: `false`.',
    ),
    execute_command: required(filledOutsideText, 'The command and its fixed arguments.'),
    workdir: required(
      workdir,
      'The working directory of the command. Empty for that of the server; a relative path starts at the file.',
    ),
    ...withoutDefaults(settingFields),
  },
  { title: 'WebhookDefinition', notes: foreignWebhookKeys },
)
