// Written by `npm run generate`; the schemas are where to change it.

export interface WebhookDefinition extends WebhookDefaults {
  /** At most 128 characters. */
  readonly id: string
  /** A path besides `/webhook/` and the id, such as `/hooks/redeploy`, below `base_path`. Default: none. */
  readonly path?: string
  /** Gives access to the webhook and to the records of its runs; may be `sha256:` and the digest in hex. Needed unless a signature is the only proof, or `auth` is `none`; without it, only `admin` has access to the records. */
  readonly token?: string | OutsideValue
  /** `true`, beside `auth: none`: any sender that reaches the server may run the webhook. Default: `false`. */
  readonly public?: boolean
  /** The command and its fixed arguments. */
  readonly execute_command: string
  /** The working directory of the command. Empty for that of the server; a relative path starts at the file. */
  readonly workdir: string
}

interface OutsideValue {
  /** The variable of the server that holds the value. */
  readonly env?: string
  /** The file that holds the value; a newline at its end is dropped. */
  readonly file?: string
}

interface CommandArgument {
  /** The text of the argument. */
  readonly name?: string
  /** The place of the value, such as `data.image` or `header:X-Name`. Without it, `name` is a fixed argument. */
  readonly source?: string
  /** `separate`: name, then value. `equals`: `name=value`. `concat`: `namevalue`. `value`: the value alone. Default: `separate`. */
  readonly format?: 'separate' | 'equals' | 'concat' | 'value'
  /** If the value is missing: `error` refuses the request, `name` passes only the name, `skip` nothing, `empty` an empty value. Default: that of the webhook. */
  readonly on_missing?: 'error' | 'name' | 'skip' | 'empty'
  /** The value if the request has none. */
  readonly default?: string
  /** Must match the whole value, in RE2 syntax. Values of more than 4,096 characters never match. Default: anything. */
  readonly pattern?: string
  /** The longest value, in bytes. Default: 65536. */
  readonly max_length?: number
  /** Whether a value may start an argument with `-`. Default: that of the webhook. */
  readonly allow_dash?: boolean
}

interface WebhookTokenPlace {
  /** The name of a header. */
  readonly header?: string
  /** The name of a parameter of the query. It is never in the data. */
  readonly query?: string
  /** `true`: the password of Basic authentication, with any user. */
  readonly basic?: boolean
  /** `true`: one more segment at the end of the path. It is never logged. */
  readonly path?: boolean
}

interface WebhookSignature {
  /** The format of signatures: that of a sender, or the kind of key of one that the other keys describe. */
  readonly scheme:
    | 'github'
    | 'gitea'
    | 'gitlab-token'
    | 'stripe'
    | 'slack'
    | 'standard'
    | 'shopify'
    | 'hmac'
    | 'ed25519'
    | 'ecdsa'
    | 'rsa'
  /** The secret. Use this or `secrets`. */
  readonly secret?: string | OutsideValue
  /** Several secrets, to rotate them. */
  readonly secrets?: readonly (string | OutsideValue)[]
  /** The public key of the sender: PEM, base64 of DER, or hex for Ed25519. Use this or `public_keys`. */
  readonly public_key?: string | OutsideValue
  /** Several public keys, to rotate them. */
  readonly public_keys?: readonly (string | OutsideValue)[]
  /** The largest difference of a timestamp to now. Default: `300s`. */
  readonly tolerance?: number | string
  /** The place of a timestamp in the signed body, in seconds or milliseconds, such as `data.webhookTimestamp`. */
  readonly timestamp_source?: string
  /** The URL exactly as the sender has it, for formats that sign it. */
  readonly url?: string
  /** For whom the sender signs, as it names this webhook: the ARN of a topic, or the id of a webhook. For formats that sign it. */
  readonly audience?: string
  /** The header of the signature. A general scheme needs it, or `field`. */
  readonly header?: string
  /** The member of the body that is the signature, such as `data.signature`. For general schemes. */
  readonly field?: string
  /** The signed text, with `{body}`, `{timestamp}`, `{id}`, `{url}`, `{parameters}`, `{header:NAME}` or a source such as `{data.id}` in it. For general schemes. Default: `{body}`. */
  readonly signed?: string
  /** The header for `{id}`. For general schemes. */
  readonly id_header?: string
  /** The header for `{timestamp}`, which must be in `signed`. For general schemes. */
  readonly timestamp_header?: string
  /** The unit of `timestamp_header`; `http` is a date, as in the header `Date`. For general schemes. Default: `s`. */
  readonly timestamp_unit?: 's' | 'ms' | 'http'
  /** The hash. For `hmac`, `ecdsa` and `rsa`. Default: `sha256`. */
  readonly algorithm?: 'sha256' | 'sha512' | 'sha1'
  /** The encoding of the signature. For general schemes. Default: `hex`. */
  readonly encoding?: 'hex' | 'base64'
  /** The text before the signature. For general schemes. Default: none, or, for `hmac`, the name of the hash, as in `sha256=`. */
  readonly prefix?: string
}

interface WebhookSender {
  /** The name of the sender, such as `github`. */
  readonly name: string
  /** The secret. Use this or `secrets`. */
  readonly secret?: string | OutsideValue
  /** Several secrets, to rotate them. */
  readonly secrets?: readonly (string | OutsideValue)[]
  /** The public key of the sender: PEM, base64 of DER, or hex for Ed25519. Use this or `public_keys`. */
  readonly public_key?: string | OutsideValue
  /** Several public keys, to rotate them. */
  readonly public_keys?: readonly (string | OutsideValue)[]
  /** The largest difference of a timestamp to now. Default: `300s`. */
  readonly tolerance?: number | string
  /** The place of a timestamp in the signed body, in seconds or milliseconds, such as `data.webhookTimestamp`. */
  readonly timestamp_source?: string
  /** The URL exactly as the sender has it, for formats that sign it. */
  readonly url?: string
  /** For whom the sender signs, as it names this webhook: the ARN of a topic, or the id of a webhook. For formats that sign it. */
  readonly audience?: string
  /** The text by which the sender proves that it asks for this webhook, before it sends deliveries. */
  readonly verify_token?: string | OutsideValue
  /** Whether pings and challenges are answered without a run, or run the command like others. Default: `answer`. */
  readonly handshake?: 'answer' | 'run'
}

interface WebhookDedupe {
  /** The place of the key, such as `header:X-GitHub-Delivery`. */
  readonly key: string
  /** How long to remember a key. Default: `24h`. */
  readonly ttl?: number | string
}

interface WebhookRules {
  /** All of these rules must be satisfied. */
  readonly all?: readonly WebhookRule[]
  /** At least one of these rules must be satisfied. */
  readonly any?: readonly WebhookRule[]
  /** This rule must not be satisfied. */
  readonly not?: WebhookRule
  /** The delivery has this signature, written like that of a webhook. It lets a webhook with `auth: none` have several kinds of senders. */
  readonly signature?: WebhookSignature
  /** The address of the client is one of these, or in one of these ranges. */
  readonly client_ip?: readonly string[]
  /** The value to check, such as `data.ref`. */
  readonly source?: string
  /** The value equals this text. */
  readonly equals?: string
  /** The value equals one of these texts. */
  readonly one_of?: readonly string[]
  /** The RE2 expression matches somewhere in the value. */
  readonly pattern?: string
  /** Whether the request has the value. */
  readonly exists?: boolean
  /** The status of the answer if the rule is not satisfied. Default: `200`. */
  readonly mismatch_status?: number
}

interface WebhookRule {
  /** All of these rules must be satisfied. */
  readonly all?: readonly WebhookRule[]
  /** At least one of these rules must be satisfied. */
  readonly any?: readonly WebhookRule[]
  /** This rule must not be satisfied. */
  readonly not?: WebhookRule
  /** The delivery has this signature, written like that of a webhook. It lets a webhook with `auth: none` have several kinds of senders. */
  readonly signature?: WebhookSignature
  /** The address of the client is one of these, or in one of these ranges. */
  readonly client_ip?: readonly string[]
  /** The value to check, such as `data.ref`. */
  readonly source?: string
  /** The value equals this text. */
  readonly equals?: string
  /** The value equals one of these texts. */
  readonly one_of?: readonly string[]
  /** The RE2 expression matches somewhere in the value. */
  readonly pattern?: string
  /** Whether the request has the value. */
  readonly exists?: boolean
}

interface WebhookVariable {
  /** The place of the value, such as `data.branch`. */
  readonly source?: string
  /** The value if the request has none. */
  readonly default?: string
  /** If the value is missing: `error` refuses the request, `skip` leaves the variable unset, `empty` is an empty value. Default: that of the webhook. */
  readonly on_missing?: 'error' | 'skip' | 'empty'
  /** Must match the whole value, in RE2 syntax. Values of more than 4,096 characters never match. Default: anything. */
  readonly pattern?: string
  /** The longest value, in bytes. Default: what the system allows. */
  readonly max_length?: number
  /** Whether the value may start with `-`. Default: `true`. */
  readonly allow_dash?: boolean
}

interface WebhookFile {
  /** The variable for the path of the file. */
  readonly env: string
  /** The place of the value, such as `data.archive`. */
  readonly source: string
  /** Whether the value is base64. Default: `false`. */
  readonly base64?: boolean
  /** If the value is missing: `error` refuses the request, `skip` leaves the variable unset, `empty` is an empty value. Default: that of the webhook. */
  readonly on_missing?: 'error' | 'skip' | 'empty'
  /** Must match the whole value, in RE2 syntax. Values of more than 4,096 characters never match. Default: anything. */
  readonly pattern?: string
  /** The longest value, in bytes. Default: what the system allows. */
  readonly max_length?: number
}

interface WebhookRetries {
  /** The most starts after the first one, up to 100. */
  readonly count: number
  /** The wait before the second start. It doubles each time. Default: `10s`. */
  readonly delay?: number | string
  /** The longest wait between two starts. Default: `5m`. */
  readonly max_delay?: number | string
  /** Only after these exit codes. Default: after every failure of the command, its timeout too. */
  readonly exit_codes?: readonly number[]
}

interface WebhookSchedule {
  /** Five fields: minute, hour, day, month and day of the week. */
  readonly cron: string
  /** The time zone of the fields. Default: `UTC`. */
  readonly time_zone?: string
  /** The data of each run, which sources read like those of a request. */
  readonly data?: Readonly<Record<string, unknown>>
}

interface WebhookAfter {
  /** The id of the other webhook. */
  readonly webhook: string
  /** After which of its runs. A canceled or superseded run is neither a success nor a failure. Default: `success`. */
  readonly on?: 'success' | 'failure' | 'always'
}

interface WebhookRateLimit {
  /** The number of runs. */
  readonly runs: number
  /** The period. */
  readonly per: number | string
}

interface WebhookFixedResponse {
  /** The body of the answer. `${data.ref}` is a value of the request, `${env:NAME}` one from outside. */
  readonly text: string
  /** The media type of the text. Values are encoded for it. Default: `text/plain; charset=utf-8`. */
  readonly type?: string
  /** Headers of the answer, besides `response_headers`. Values of the request may stand in `Location` and in headers that begin with `X-`. */
  readonly headers?: Readonly<Record<string, string>>
}

interface WebhookAnswer {
  /** The condition on the request. */
  readonly when: WebhookRule
  /** The status of the answer. Default: `200`. */
  readonly status?: number
  /** The body of the answer. `${data.ref}` is a value of the request, `${env:NAME}` one from outside. */
  readonly text?: string
  /** The media type of the text. Values are encoded for it. Default: `text/plain; charset=utf-8`. */
  readonly type?: string
  /** Headers of the answer, besides `response_headers`. Values of the request may stand in `Location` and in headers that begin with `X-`. */
  readonly headers?: Readonly<Record<string, string>>
}

interface WebhookForm {
  /** The field whose JSON is the data, such as the `payload` of GitHub and Slack. Default: the fields are. */
  readonly data?: string
  /** Whether the fields are the data of a form without the field that `data` names. Default: `false`. */
  readonly or_fields?: boolean
  /** Fields whose text is JSON. */
  readonly json?: readonly string[]
  /** Whether `a[b]=1` and `a[]=1` become objects and lists. Default: `false`. */
  readonly nested?: boolean
}

export interface WebhookDefaults {
  /** Arguments with values from the request. */
  readonly command_arguments?: readonly CommandArgument[]
  /** The methods of requests that name the webhook by path. The data of `GET` and `HEAD` are the query. Default: `["POST"]`. */
  readonly methods?: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET' | 'HEAD')[]
  /** What happens without a value of the request for an argument, a variable or a file that does not say it: `error` refuses the request, `skip` leaves it out, `empty` is an empty value. Default: `error`. */
  readonly on_missing?: 'error' | 'skip' | 'empty'
  /** Whether values may start an argument with `-`, where the argument does not say it. Default: `false`. */
  readonly allow_dash?: boolean
  /** `false`: as if the webhook did not exist. Default: `true`. */
  readonly enabled?: boolean
  /** More tokens, to rotate them. */
  readonly tokens?: readonly (string | OutsideValue)[]
  /** The form of the token in requests; `any` is plain or SHA-1. Default: `any`. */
  readonly token_format?: 'any' | 'plain' | 'sha1' | 'sha256'
  /** Where requests by path have the token, besides `Authorization: Bearer` and `X-Webhook-Token`: one of `{ header: X-Gitlab-Token }`, `{ query: token }`, `{ path: true }`, and `{ basic: true }`, the password of Basic authentication. */
  readonly token_in?: WebhookTokenPlace
  /** How to verify signatures. Default: signatures are not checked. */
  readonly signature?: WebhookSignature
  /** Who sends: a name such as `github`, or `{ name: github, secret: … }`. It brings the signature, the answers to pings and challenges, and the settings that the sender needs; settings of the webhook win. Default: any sender. */
  readonly sender?: string | WebhookSender
  /** The required proof. `none` needs `allow_ips`, a rule on a value, a signature or an address, or `public: true`. Default: `signature` if one is configured, else `token`. */
  readonly auth?: 'token' | 'signature' | 'both' | 'either' | 'none'
  /** Only these addresses and prefixes may send requests. Default: all. */
  readonly allow_ips?: readonly string[]
  /** Recognizes repeated deliveries, which start no run of their own. Default: off. */
  readonly dedupe?: WebhookDedupe
  /** The condition on requests. Default: none. */
  readonly rules?: WebhookRules
  /** The shell for the command: its path, `/bin/sh` (`true`), none (`false`), or `/bin/sh` if the command needs it (`auto`). Default: `auto`. */
  readonly shell?: string | boolean
  /** Variables of the command by name: a text, `{env}` or `{file}` for a value from outside, or `{source, default}` for a value of the request. */
  readonly env?: Readonly<Record<string, string | OutsideValue | WebhookVariable>>
  /** Variables of the server that the command inherits besides a few such as `PATH`; `*` means all. */
  readonly pass_env?: readonly string[]
  /** The standard input: nothing, the bytes of the request body, or its data as JSON. Default: `none`. */
  readonly stdin?: 'none' | 'body' | 'data'
  /** Values of the request that are written to files for the command. */
  readonly files?: readonly WebhookFile[]
  /** Whether the answer waits for the run (`sync`), does not (`async`), or streams its output (`stream`). Default: `sync`. */
  readonly mode?: 'sync' | 'async' | 'stream'
  /** In `sync`: answer after this time, even if the run has not ended. Default: `none`. */
  readonly sync_wait?: number | string
  /** The maximum duration of the command, or `none`. Default: `10m`. */
  readonly timeout?: number | string
  /** The time between SIGTERM and SIGKILL. Default: `5s`. */
  readonly kill_grace?: number | string
  /** Starts the command again if its run fails. Default: it is started once. */
  readonly retries?: WebhookRetries
  /** When to run without a delivery. Default: never. */
  readonly schedule?: WebhookSchedule
  /** The webhook after whose runs this one runs. Default: none. */
  readonly after?: WebhookAfter
  /** Whether receivers of alerts may run it, with `webhook_run_configs`. Default: `false`. */
  readonly on_alert?: boolean
  /** The maximum number of concurrent runs, across all processes; 0 for no limit of its own. Default: `1`. */
  readonly concurrency?: number
  /** The maximum number of waiting runs. Default: `1000`. */
  readonly queue?: number
  /** What to do with a run over the limit: it waits (`queue`), is refused with 429 (`reject`), or replaces the waiting ones (`latest`). Default: `queue`. */
  readonly on_busy?: 'queue' | 'reject' | 'latest'
  /** The maximum number of runs that may be made in a period; deliveries that make none do not count. Default: no limit. */
  readonly rate_limit?: WebhookRateLimit
  /** Whether answers include `stdout` and `stderr`; `true` is `always`, `false` is `never`. Default: `never`. */
  readonly include_output?: 'never' | 'on_error' | 'always' | boolean
  /** `stdout`: what the command writes to `stderr` is in `stdout`, in the order of writing. Default: `separate`. */
  readonly stderr?: 'separate' | 'stdout'
  /** How much of each output to keep. Default: `1MiB`. */
  readonly output_bytes?: number | string
  /** Which end of an output to keep. Default: `head`. */
  readonly output_keep?: 'head' | 'tail'
  /** Whether more output is cut off (`truncate`) or ends the command (`kill`). Default: `truncate`. */
  readonly on_output_limit?: 'truncate' | 'kill'
  /** The status of the answer if the run succeeds, from 200 to 399. Default: `200`. */
  readonly success_status?: number
  /** The status of the answer if the run fails, from 400 to 599. Default: `500`. */
  readonly failure_status?: number
  /** The status of the answer by exit code, from 200 to 599. */
  readonly exit_status_map?: Readonly<Record<string, number>>
  /** `text`: the answer is the output of the command, byte for byte. `{ text: OK }`: this text, if the run succeeds, or at once with `mode: async`. Default: `json`. */
  readonly response?: 'json' | 'text' | WebhookFixedResponse
  /** Answers that need no run, such as those to the challenge of a sender. The first whose `when` is satisfied counts. */
  readonly answers?: readonly WebhookAnswer[]
  /** Headers of all answers of the webhook, by name, also of refusals. */
  readonly response_headers?: Readonly<Record<string, string>>
  /** Whether a run is canceled when its last waiting client disconnects. Default: `continue`. */
  readonly on_disconnect?: 'continue' | 'cancel'
  /** Whether to kill processes that the command left behind. Default: `leave`. */
  readonly leftovers?: 'leave' | 'kill'
  /** The accepted types of bodies if the path contains the id: `json`, `form` (urlencoded), `text` (JSON as `text/plain`), `multipart` (with files), `xml`, and `any` for all others, which have no data. Default: `["json"]`. */
  readonly accept?: readonly ('json' | 'form' | 'text' | 'multipart' | 'xml' | 'any')[]
  /** How the fields of a form become data. */
  readonly form?: WebhookForm
  /** The largest body if the path contains the id. Default: the limit of the service. */
  readonly max_body_bytes?: number | string
  /** The kind of process that starts the command. Default: that of the service. */
  readonly executor?: 'auto' | 'direct' | 'launcher'
}

interface WebhooksAdmin {
  /** Gives access to every run and to the list of runs. */
  readonly token: string | OutsideValue
}

interface WebhooksLimits {
  /** The largest body of a request. Default: `4MiB`. */
  readonly max_body_bytes?: number | string
  /** The largest total of all bodies in memory. Default: `64MiB`. */
  readonly body_total_bytes?: number | string
  /** The maximum number of running commands. Default: twice the number of processors, at least 4. */
  readonly concurrency?: number
  /** The maximum number of waiting runs. Default: `5000`. */
  readonly queue?: number
  /** The maximum nesting depth of a JSON body. Default: `64`. */
  readonly json_depth?: number
  /** The maximum length of a command line, in bytes. Default: `131072`. */
  readonly command_line_bytes?: number | string
}

interface WebhookHistory {
  /** The maximum number of finished runs to keep, of all webhooks together. Each keeps a share, so a busy one removes only its own. Default: `500`. */
  readonly max_runs?: number
  /** How long to keep a finished run. Default: `24h`. */
  readonly max_age?: number | string
  /** How much of each output to keep. Default: `64KiB`. */
  readonly output_bytes?: number | string
  /** Whether to keep the arguments of commands. Default: `false`. */
  readonly argv?: boolean
}

interface WebhooksLog {
  /** Whether to log each line that a command writes. Default: `false`. */
  readonly run_output?: boolean
}

/** The configuration of the webhook service as an object, with the keys of its text. A length of time is a number of seconds, or a text such as `500ms`, `30s`, `10m`, `24h` or `7d`; a size is a number of bytes, or a text such as `64KiB` or `10MB`. */

export interface WebhooksConfig {
  /** The webhooks. */
  readonly webhooks?: readonly WebhookDefinition[]
  /** Defaults for the optional keys of every webhook, which can override them. */
  readonly defaults?: WebhookDefaults
  /** Where the paths of webhooks begin, such as `/hooks`. A change needs a restart. Default: at the root. */
  readonly base_path?: string
  /** Whether `POST /hash` is served. Default: `true`. */
  readonly hash_endpoint?: boolean
  /** Whether an unknown id gets the same answer as a wrong token. Default: `false`. */
  readonly hide_ids?: boolean
  /** Access to all runs, to see and end them. Default: none. */
  readonly admin?: WebhooksAdmin
  /** Limits of the whole service. */
  readonly limits?: WebhooksLimits
  /** What to keep of finished runs. */
  readonly history?: WebhookHistory
  /** The kind of process that starts commands. Default: `auto`. */
  readonly executor?: 'auto' | 'direct' | 'launcher'
  /** Whether `GET /metrics` is served. Default: `false`. */
  readonly metrics?: boolean
  /** What to log. */
  readonly log?: WebhooksLog
}
