// Written by scripts/write-schemas.mjs; the schemas are where to change it.

export interface WebhookDefinition extends WebhookDefaults {
  /** At most 128 characters. */
  readonly id: string
  /** What opens the webhook and the records of its runs; may be `sha256:` and the digest in hex. */
  readonly token: string | OutsideValue
  /** The command and its fixed arguments. */
  readonly execute_command: string
  /** Where the command runs. Empty for the working directory of the server; a relative one counts from the file. */
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
  /** Where the value is found, as `data.image` or `header:X-Name`. Without it `name` is the argument as it stands. */
  readonly source?: string
  /** `separate`: name, then value. `equals`: `name=value`. `concat`: `namevalue`. `value`: the value alone. Default: `separate`. */
  readonly format?: 'separate' | 'equals' | 'concat' | 'value'
  /** Without a value: `error` refuses the request, `name` passes the name alone, `skip` nothing, `empty` an empty value. Default: `error`. */
  readonly on_missing?: 'error' | 'name' | 'skip' | 'empty'
  /** The value where the request has none. */
  readonly default?: string
  /** What the whole value must match, in RE2 syntax. Values of more than 4,096 characters match nothing. Default: anything. */
  readonly pattern?: string
  /** The longest value, in bytes. Default: 65536. */
  readonly max_length?: number
  /** Whether a value may begin with `-` where an argument begins. Default: `false`. */
  readonly allow_dash?: boolean
}

interface WebhookSignature {
  /** How signatures are made. */
  readonly scheme:
    | 'github'
    | 'gitea'
    | 'gitlab-token'
    | 'stripe'
    | 'slack'
    | 'standard'
    | 'shopify'
    | 'hmac'
  /** The secret. Either this or `secrets`. */
  readonly secret?: string | OutsideValue
  /** Several secrets, while one replaces another. */
  readonly secrets?: readonly (string | OutsideValue)[]
  /** How far a timestamp may be from now. Default: `300s`. */
  readonly tolerance?: number | string
  /** The header of the signature. For `hmac`, which needs it. */
  readonly header?: string
  /** The signed text, with `{body}` and `{timestamp}` in it. For `hmac`. Default: `{body}`. */
  readonly signed?: string
  /** The header that `{timestamp}` comes from. For `hmac`. */
  readonly timestamp_header?: string
  /** The hash. For `hmac`. Default: `sha256`. */
  readonly algorithm?: 'sha256' | 'sha512' | 'sha1'
  /** How the signature is written. For `hmac`. Default: `hex`. */
  readonly encoding?: 'hex' | 'base64'
  /** The text before the signature. For `hmac`. Default: none. */
  readonly prefix?: string
}

interface WebhookDedupe {
  /** Where the key is found, as `header:X-GitHub-Delivery`. */
  readonly key: string
  /** How long a key counts. Default: `24h`. */
  readonly ttl?: number | string
}

interface WebhookRules {
  /** Every one of these rules must be satisfied. */
  readonly all?: readonly WebhookRule[]
  /** One of these rules must be satisfied. */
  readonly any?: readonly WebhookRule[]
  /** This rule must not be satisfied. */
  readonly not?: WebhookRule
  /** The value to look at, as `data.ref`. */
  readonly source?: string
  /** The value is this text. */
  readonly equals?: string
  /** The value is one of these texts. */
  readonly one_of?: readonly string[]
  /** The expression, in RE2 syntax, matches somewhere in the value. */
  readonly pattern?: string
  /** Whether the request has the value at all. */
  readonly exists?: boolean
  /** The status of the answer to a request that does not satisfy the rule. Default: `200`. */
  readonly mismatch_status?: number
}

interface WebhookRule {
  /** Every one of these rules must be satisfied. */
  readonly all?: readonly WebhookRule[]
  /** One of these rules must be satisfied. */
  readonly any?: readonly WebhookRule[]
  /** This rule must not be satisfied. */
  readonly not?: WebhookRule
  /** The value to look at, as `data.ref`. */
  readonly source?: string
  /** The value is this text. */
  readonly equals?: string
  /** The value is one of these texts. */
  readonly one_of?: readonly string[]
  /** The expression, in RE2 syntax, matches somewhere in the value. */
  readonly pattern?: string
  /** Whether the request has the value at all. */
  readonly exists?: boolean
}

interface WebhookVariable {
  /** Where the value is found, as `data.branch`. */
  readonly source?: string
  /** The value where the request has none. */
  readonly default?: string
}

interface WebhookFile {
  /** The variable that holds the path of the file. */
  readonly env: string
  /** Where the value is found, as `data.archive`. */
  readonly source: string
  /** Whether the value is base64 of the content. Default: `false`. */
  readonly base64?: boolean
}

interface WebhookRateLimit {
  /** How many runs. */
  readonly runs: number
  /** In which time. */
  readonly per: number | string
}

export interface WebhookDefaults {
  /** The arguments that a request fills in. */
  readonly command_arguments?: readonly CommandArgument[]
  /** `false`: as if the webhook did not exist. Default: `true`. */
  readonly enabled?: boolean
  /** Further tokens that open the webhook, while one replaces another. */
  readonly tokens?: readonly (string | OutsideValue)[]
  /** Which form of the token a request sends; `any` is plain or SHA-1. Default: `any`. */
  readonly token_format?: 'any' | 'plain' | 'sha1' | 'sha256'
  /** How senders sign. Default: they do not. */
  readonly signature?: WebhookSignature
  /** What a request must have. Default: `signature` if there is one, else `token`. */
  readonly auth?: 'token' | 'signature' | 'both' | 'either'
  /** Only these addresses and prefixes may send requests. Default: all. */
  readonly allow_ips?: readonly string[]
  /** Which requests repeat an earlier one and start no run of their own. Default: none. */
  readonly dedupe?: WebhookDedupe
  /** What must be true of a request. Default: nothing. */
  readonly rules?: WebhookRules
  /** Which shell runs the command: the path of one, `/bin/sh` (`true`), none (`false`), or `/bin/sh` where the command needs it (`auto`). Default: `auto`. */
  readonly shell?: string | boolean
  /** Variables that are set for the command, by name: a text, `{env}` or `{file}` for a value from outside, or `{source, default}` for one of the request. */
  readonly env?: Readonly<Record<string, string | OutsideValue | WebhookVariable>>
  /** Variables of the server that the command inherits beside a few such as `PATH`; `*` is all of them. */
  readonly pass_env?: readonly string[]
  /** What the command reads: nothing, the bytes of the request, or its data as JSON. Default: `none`. */
  readonly stdin?: 'none' | 'body' | 'data'
  /** Values of the request that the command reads from files. */
  readonly files?: readonly WebhookFile[]
  /** Whether the answer waits for the run (`sync`), does not (`async`), or is its output as it comes (`stream`). Default: `sync`. */
  readonly mode?: 'sync' | 'async' | 'stream'
  /** In `sync`: after this time there is an answer, whether the run has ended or not. Default: `none`. */
  readonly sync_wait?: number | string
  /** How long the command may take, or `none`. Default: `10m`. */
  readonly timeout?: number | string
  /** How long from SIGTERM to SIGKILL. Default: `5s`. */
  readonly kill_grace?: number | string
  /** How many runs there are at once, over all processes; 0 for no limit of its own. Default: `1`. */
  readonly concurrency?: number
  /** How many runs wait at most. Default: `100`. */
  readonly queue?: number
  /** What happens to one run too many: it waits (`queue`), is refused with 429 (`reject`), or replaces the waiting ones (`latest`). Default: `queue`. */
  readonly on_busy?: 'queue' | 'reject' | 'latest'
  /** How many runs may begin in a length of time. Default: no limit. */
  readonly rate_limit?: WebhookRateLimit
  /** Whether answers have `stdout` and `stderr`; `true` is `always`, `false` is `never`. Default: `never`. */
  readonly include_output?: 'never' | 'on_error' | 'always' | boolean
  /** How much of each output is kept. Default: `1MiB`. */
  readonly output_bytes?: number | string
  /** Which end of an output is kept. Default: `head`. */
  readonly output_keep?: 'head' | 'tail'
  /** Whether more output than that is cut off or ends the command. Default: `truncate`. */
  readonly on_output_limit?: 'truncate' | 'kill'
  /** The status of the answer to a run that succeeded. Default: `200`. */
  readonly success_status?: number
  /** The status of the answer to a run that failed. Default: `500`. */
  readonly failure_status?: number
  /** Statuses of answers by exit code. */
  readonly exit_status_map?: Readonly<Record<string, number>>
  /** `text`: the answer is the output of the command. Default: `json`. */
  readonly response?: 'json' | 'text'
  /** Headers that answers have, by name. */
  readonly response_headers?: Readonly<Record<string, string>>
  /** Whether a run ends when nobody waits for its answer any longer. Default: `continue`. */
  readonly on_disconnect?: 'continue' | 'cancel'
  /** Whether processes that the command left behind end with it. Default: `leave`. */
  readonly leftovers?: 'leave' | 'kill'
  /** Which bodies are accepted where the id is in the path. Default: `["json"]`. */
  readonly accept?: readonly ('json' | 'form')[]
  /** How large a body may be where the id is in the path. Default: as `limits` says. */
  readonly body_bytes?: number | string
  /** Which kind of process starts the command. Default: as for the whole service. */
  readonly executor?: 'auto' | 'direct' | 'launcher'
}

interface WebhooksAdmin {
  /** Opens every run and the list of them. */
  readonly token: string | OutsideValue
}

interface WebhooksLimits {
  /** The largest body of a request. Default: `4MiB`. */
  readonly body_bytes?: number | string
  /** How large all bodies that are held at once may be together. Default: `64MiB`. */
  readonly body_total_bytes?: number | string
  /** How many runs there are at once. Default: twice the number of processors, at least 4. */
  readonly concurrency?: number
  /** How many runs wait at most. Default: `1000`. */
  readonly queue?: number
  /** How deep a JSON body may be nested. Default: `64`. */
  readonly json_depth?: number
  /** How long a command line may be, in bytes. Default: `131072`. */
  readonly command_line_bytes?: number | string
}

interface WebhookHistory {
  /** How many runs are kept. Default: `500`. */
  readonly max_runs?: number
  /** How long a run is kept. Default: `24h`. */
  readonly max_age?: number | string
  /** How much of each output is kept. Default: `64KiB`. */
  readonly output_bytes?: number | string
  /** Whether the arguments of commands are kept. Default: `false`. */
  readonly argv?: boolean
}

interface WebhooksLog {
  /** Whether each line that a command writes is logged. Default: `false`. */
  readonly run_output?: boolean
}

/** The configuration of the webhook service as an object, with the keys of its text. A length of time is a number of seconds, or a text such as `500ms`, `30s`, `10m`, `24h` or `7d`; a size is a number of bytes, or a text such as `64KiB` or `10MB`. */

export interface WebhooksConfig {
  /** The webhooks. */
  readonly webhooks?: readonly WebhookDefinition[]
  /** Values for the optional keys of every webhook. Those of the webhook itself win. */
  readonly defaults?: WebhookDefaults
  /** The beginning of every path, as `/hooks`. */
  readonly url_prefix?: string
  /** Whether `POST /hash` is served. Default: `true`. */
  readonly hash_endpoint?: boolean
  /** Whether an unknown id is answered like a wrong token. Default: `false`. */
  readonly hide_ids?: boolean
  /** Who sees and ends all runs. Default: nobody. */
  readonly admin?: WebhooksAdmin
  /** Limits of the whole service. */
  readonly limits?: WebhooksLimits
  /** What is kept of runs. */
  readonly history?: WebhookHistory
  /** Which kind of process starts commands. Default: `auto`. */
  readonly executor?: 'auto' | 'direct' | 'launcher'
  /** Addresses and prefixes whose `X-Forwarded-For` is believed. */
  readonly trusted_proxies?: readonly string[]
  /** Whether `GET /metrics` is served. Default: `false`. */
  readonly metrics?: boolean
  /** What is logged. */
  readonly log?: WebhooksLog
}
