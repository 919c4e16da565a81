import type { WrittenArgument, WrittenFile, WrittenVariable } from './arguments.ts'
import type { WrittenSecret } from './outside.ts'
import type { WrittenDedupe, WrittenRateLimit, WrittenRules, WrittenSignature } from './requests.ts'

/** One webhook. */
export interface WebhookDefinition extends WebhookDefaults {
  /** At most 128 characters. */
  readonly id: string
  /** What opens the webhook and the records of its runs; may be `sha256:` and the digest in hex. */
  readonly token: WrittenSecret
  /** The command and its fixed arguments. */
  readonly execute_command: string
  /** Where the command runs; empty for the working directory of the server. */
  readonly workdir: string
}

/** The optional keys of a webhook, which `defaults` may have as well. */
export interface WebhookDefaults {
  /** What a request fills in (default none). */
  readonly command_arguments?: readonly WrittenArgument[]
  /** `false`: as if it were not there (default `true`). */
  readonly enabled?: boolean
  /** Further tokens that open it, while one replaces another (default none). */
  readonly tokens?: readonly WrittenSecret[]
  /** Which form of the token a request sends; `any` is plain or SHA-1 (default `any`). */
  readonly token_format?: 'any' | 'plain' | 'sha1' | 'sha256'
  /** How senders sign (default: they do not). */
  readonly signature?: WrittenSignature
  /** What a request must have (default `signature` if there is one, else `token`). */
  readonly auth?: 'token' | 'signature' | 'both' | 'either'
  /** Only these addresses and prefixes may ask (default: all). */
  readonly allow_ips?: readonly string[]
  /** Which requests repeat an earlier one and make no run of their own (default none). */
  readonly dedupe?: WrittenDedupe
  /** What must be true of a request (default: nothing). */
  readonly rules?: WrittenRules
  /** Which shell runs the command: the path of one, `/bin/sh` (`true`), none (`false`), or `/bin/sh` where the text needs it (`auto`, the default). */
  readonly shell?: string | boolean
  /** Variables that are set for the command, by name (default none). */
  readonly env?: Readonly<Record<string, WrittenVariable>>
  /** Variables of the server that the command inherits; `*` is all of them (default: a few such as `PATH`). */
  readonly pass_env?: readonly string[]
  /** What the command reads: nothing, the bytes of the request, or its data as JSON (default `none`). */
  readonly stdin?: 'none' | 'body' | 'data'
  /** Values that the command reads from files (default none). */
  readonly files?: readonly WrittenFile[]
  /** Whether the answer waits for the run, does not, or is its output as it comes (default `sync`). */
  readonly mode?: 'sync' | 'async' | 'stream'
  /** In `sync`: after so long there is an answer, whether the run has ended or not (default `none`: no bound). */
  readonly sync_wait?: string | number
  /** How long the command may take, or `none` (default `10m`). */
  readonly timeout?: string | number
  /** How long from SIGTERM to SIGKILL (default `5s`). */
  readonly kill_grace?: string | number
  /** How many runs there are at once, over all processes; 0 for no bound of its own (default 1). */
  readonly concurrency?: number
  /** How many runs wait at most (default 100). */
  readonly queue?: number
  /** What becomes of one run too many: it waits, is refused with 429, or takes the place of those that wait (default `queue`). */
  readonly on_busy?: 'queue' | 'reject' | 'latest'
  /** How many runs may begin in a length of time (default: no bound). */
  readonly rate_limit?: WrittenRateLimit
  /** Whether answers have `stdout` and `stderr`; `true` is `always`, `false` is `never` (default `never`). */
  readonly include_output?: 'never' | 'on_error' | 'always' | boolean
  /** How much of each output is kept (default `1MiB`). */
  readonly output_bytes?: string | number
  /** Which end of an output is kept (default `head`). */
  readonly output_keep?: 'head' | 'tail'
  /** Whether more output than that is cut off or ends the command (default `truncate`). */
  readonly on_output_limit?: 'truncate' | 'kill'
  /** The status of the answer to a run that succeeded, from 200 to 299 (default 200). */
  readonly success_status?: number
  /** The status of the answer to a run that failed, from 400 to 599 (default 500). */
  readonly failure_status?: number
  /** From exit codes to statuses of answers (default none). */
  readonly exit_status_map?: Readonly<Record<number, number>>
  /** `text`: the answer is what the command wrote (default `json`). */
  readonly response?: 'json' | 'text'
  /** Headers that answers have, by name (default none). */
  readonly response_headers?: Readonly<Record<string, string>>
  /** Whether a run ends when nobody waits for its answer any longer (default `continue`). */
  readonly on_disconnect?: 'continue' | 'cancel'
  /** Whether what the command left running ends with it (default `leave`). */
  readonly leftovers?: 'leave' | 'kill'
  /** Which bodies are taken where the id is in the path (default `json` alone). */
  readonly accept?: readonly ('json' | 'form')[]
  /** How large a body may be where the id is in the path (default: as `limits` says). */
  readonly body_bytes?: string | number
  /** Which kind of process starts the command (default: as for the whole service). */
  readonly executor?: 'auto' | 'direct' | 'launcher'
}
