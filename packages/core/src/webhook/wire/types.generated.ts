// Written by `npm run generate`; the schemas in `api/` are where to change it.

/** The answer while a run goes on. */
export interface AcceptedRun {
  readonly message: string
  readonly id: string
  readonly run_id: string
  readonly status: RunStatus
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
  /** An earlier delivery with the same key started the run. */
  readonly duplicate?: true
  readonly status_url: string
}

/** The answer while a run is being ended. */
export interface CancelingRun {
  readonly message: string
  /** The id of the webhook. */
  readonly id: string
  readonly run_id: string
  readonly status: RunStatus
  /** Only if the run did not succeed. */
  readonly reason?: RunReason
  readonly exit_code: number | null
  readonly signal: string | null
  readonly duration_ms: number | null
  readonly queued_ms: number
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
}

/** A delivery to test. */
export interface DeliveryTest {
  readonly id: string
  readonly body?: string
  readonly method?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

/** The answer once a run has succeeded. */
export interface ExecutedRun {
  readonly message: string
  /** The id of the webhook. */
  readonly id: string
  readonly run_id: string
  readonly status: RunStatus
  /** Only if the run did not succeed. */
  readonly reason?: RunReason
  readonly exit_code: number | null
  readonly signal: string | null
  readonly duration_ms: number | null
  readonly queued_ms: number
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
  /** An earlier delivery with the same key started the run. */
  readonly duplicate?: true
  readonly stdout?: string
  readonly stderr?: string
  readonly stdout_truncated?: true
  readonly stderr_truncated?: true
}

/** A hash in hex. */
export interface HashedMessage {
  /** The hash again, for older clients. */
  readonly message: string
  readonly hash: string
  readonly algorithm: 'sha1'
}

/** A webhook without its secrets and its command. */
export interface ListedWebhook {
  readonly id: string
  readonly mode: 'sync' | 'async' | 'stream'
  /** How many runs go on at once; 0 for no limit of its own. */
  readonly concurrency: number
  /** How many runs may wait. */
  readonly queue: number
  readonly on_busy: 'queue' | 'reject' | 'latest'
  /** The longest duration of a run. */
  readonly timeout_ms: number | null
  /** Whether the command reads all data of a request. */
  readonly reads_data: boolean
  readonly inputs: readonly WebhookInput[]
  /** What to enter at its sender. */
  readonly sender: SenderRecipe
  /** What the sender may do with it. */
  readonly actions: readonly ('webhooks:read' | 'webhooks:run' | 'webhooks:cancel')[]
}

/** Deliveries of a webhook that were refused, newest first, without their values. */
export interface RefusalList {
  readonly refusals: readonly {
    readonly at: string
    /** The code of the answer. */
    readonly code: string
    /** The source, the argument or the variable that the refusal is about. */
    readonly about?: string
    readonly request_id: string
    readonly client_ip: string | null
  }[]
}

/** One execution of the command of a webhook. */
export interface Run {
  readonly run_id: string
  /** The id of the webhook. */
  readonly id: string
  readonly status: RunStatus
  readonly reason: RunReason | null
  /** `null` until it has ended, and if it never started. */
  readonly exit_code: number | null
  readonly signal: string | null
  /** How many times its command was started. */
  readonly attempts: number
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly queued_ms: number
  readonly duration_ms: number | null
  readonly client_ip: string | null
  readonly request_id: string | null
  /** What started the run: `subject` is a sender with the right to run the webhook. Absent if a delivery with a token or a signature did. */
  readonly cause?:
    | { readonly type: 'subject'; readonly id: string; readonly kind?: string }
    | { readonly type: 'schedule'; readonly at: string }
    | { readonly type: 'run'; readonly run_id: string; readonly depth: number }
    | { readonly type: 'alert'; readonly receiver: string; readonly group_hash: string }
  /** The kept part of the output as text; bytes that are not UTF-8 become U+FFFD. */
  readonly stdout: string
  readonly stderr: string
  /** How many bytes the command wrote. */
  readonly stdout_bytes: number
  readonly stderr_bytes: number
  readonly stdout_truncated: boolean
  readonly stderr_truncated: boolean
  /** Why its command did not start. */
  readonly error?: string
  /** Program and arguments, if the history keeps them. */
  readonly argv?: readonly string[]
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
}

/** The data of the events at the start and the end of a stream. */
export interface RunFacts {
  /** The id of the webhook. */
  readonly id: string
  readonly run_id: string
  readonly status: RunStatus
  /** Only if the run did not succeed. */
  readonly reason?: RunReason
  readonly exit_code: number | null
  readonly signal: string | null
  readonly duration_ms: number | null
  readonly queued_ms: number
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
}

/** A page of runs, newest first. */
export interface RunPage {
  readonly runs: readonly Run[]
  /** The `before` of the next page. */
  readonly next: string | null
}

/** Why a run failed or was canceled. */
export type RunReason =
  | 'exit_code'
  | 'signal'
  | 'not_started'
  | 'output_limit'
  | 'canceled'
  | 'disconnect'
  | 'shutdown'

/** The status of a run. Only the first two can change. */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'timed_out'
  | 'canceled'
  | 'superseded'
  | 'lost'

/** What to enter at the sender of a webhook. It has no secret. */
export interface SenderRecipe {
  /** Below where the service is served. */
  readonly path: string
  readonly methods: readonly string[]
  /** Types of bodies. */
  readonly content_types: readonly string[]
  /** Where the token may be besides `Authorization: Bearer`; `null` if no token starts a run. */
  readonly token: {
    readonly in: 'bearer' | 'header' | 'query' | 'basic' | 'path'
    readonly name?: string
  } | null
  /** How bodies are signed; `null` if they need not be. */
  readonly signature: { readonly algorithm: string; readonly headers: readonly string[] } | null
}

/** The answer if the rules of the webhook are not satisfied. */
export interface SkippedDelivery {
  readonly message: string
  readonly id: string
  readonly status: 'skipped'
}

/** What would happen to a delivery. */
export interface TestedDelivery {
  /** Whether it would start a run. */
  readonly runs: boolean
  /** What is checked, in this order. The last one may end the delivery. */
  readonly checks: readonly {
    readonly check:
      | 'webhook'
      | 'signing'
      | 'request'
      | 'sender'
      | 'handshake'
      | 'answers'
      | 'dedupe'
      | 'rules'
      | 'command'
    readonly outcome: 'passed' | 'refused' | 'answered'
    readonly detail: string
  }[]
  /** What the command would be given; `null` if it would not be reached. */
  readonly command: {
    /** The program and its arguments. */ readonly argv: readonly string[]
    readonly workdir: string
    /** Variables of the webhook; fixed values are masked. */
    readonly variables: Readonly<Record<string, string>>
    readonly files: readonly { readonly variable: string; readonly bytes: number }[]
    readonly stdin_bytes: number
  } | null
}

/** Why a request was refused, or a run failed. */
export type WebhookErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_token'
  | 'invalid_signature'
  | 'not_authenticated'
  | 'not_allowed'
  | 'address_not_allowed'
  | 'unknown_webhook'
  | 'unknown_run'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'superseded'
  | 'canceled'
  | 'run_finished'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'argument_missing'
  | 'argument_rejected'
  | 'queue_full'
  | 'rate_limited'
  | 'command_failed'
  | 'command_not_started'
  | 'command_timeout'
  | 'internal_error'
  | 'shutting_down'
  | 'overloaded'
  | 'storage_unavailable'

/** The answer to a refused request or a failed run. */
export interface WebhookFailure {
  /** For people. */
  readonly message: string
  readonly code: WebhookErrorCode
  readonly request_id: string
  readonly error?: string
  /** What is wrong with the request. */
  readonly fields?: readonly { readonly path: string; readonly problem: string }[]
  readonly argument?: unknown
  readonly source?: unknown
  /** The id of the webhook. */
  readonly id?: string
  readonly run_id?: string
  readonly status?: RunStatus
  /** Only if the run did not succeed. */
  readonly reason?: RunReason
  readonly exit_code?: number | null
  readonly signal?: string | null
  readonly duration_ms?: number | null
  readonly queued_ms?: number
  /** The end of the run is not recorded yet. If the server dies before, the run is lost. */
  readonly recorded?: false
  /** An earlier delivery with the same key started the run. */
  readonly duplicate?: true
  readonly stdout?: string
  readonly stderr?: string
  readonly stdout_truncated?: true
  readonly stderr_truncated?: true
}

/** A value that a webhook reads from a request. */
export interface WebhookInput {
  /** The use of the value: an argument, a variable of the environment, or a file whose path is in a variable. */
  readonly use: 'argument' | 'variable' | 'file'
  /** The name of the argument, which may be empty, or of the variable. */
  readonly name: string
  /** The place of the value, such as `data.image` or `header:X-Name`. */
  readonly source: string
  /** Whether a request without the value is refused. */
  readonly required: boolean
  /** The value of an argument if the request has none. Defaults of variables are not shown, because they may be secrets. */
  readonly default?: string
  /** Must match the whole value, in RE2 syntax. */
  readonly pattern?: string
  /** The longest value, in bytes. */
  readonly max_length?: number
  /** Whether the value may begin with a dash (default: it may). */
  readonly allow_dash?: boolean
  /** The value is base64. */
  readonly base64?: true
}

/** The webhooks whose runs the sender may see. */
export interface WebhookList {
  readonly webhooks: readonly ListedWebhook[]
  /** Whether the sender may list the runs of all webhooks. */
  readonly reads_all: boolean
}

/** What each operation takes and answers, by its method and path. */
export interface WebhookCalls {
  readonly 'POST /webhook': {
    readonly request: {
      readonly body: {
        readonly id: string
        readonly token?: string
        readonly data?: Readonly<Record<string, unknown>> | null
      }
    }
    readonly answer: ExecutedRun | SkippedDelivery | string | AcceptedRun
  }
  readonly 'POST /webhook/:id': {
    readonly request: { readonly path: { readonly id: string }; readonly body: unknown }
    readonly answer: ExecutedRun | SkippedDelivery | string | AcceptedRun
  }
  readonly 'GET /webhooks': { readonly answer: WebhookList }
  readonly 'GET /webhooks/refusals': {
    readonly request: { readonly query: { readonly id: string } }
    readonly answer: RefusalList
  }
  readonly 'POST /webhooks/test': {
    readonly request: { readonly body: DeliveryTest }
    readonly answer: TestedDelivery
  }
  readonly 'GET /runs': {
    readonly request: {
      readonly query?:
        | undefined
        | {
            /** Default: `1`. */ readonly output?: '0' | '1'
            readonly id?: string
            readonly status?:
              | 'queued'
              | 'running'
              | 'succeeded'
              | 'failed'
              | 'timed_out'
              | 'canceled'
              | 'superseded'
              | 'lost'
            readonly limit?: number
            readonly before?: string
          }
    }
    readonly answer: RunPage
  }
  readonly 'GET /runs/changes': {
    readonly request: {
      readonly query?: undefined | { readonly id?: string; readonly since?: string }
    }
    readonly answer: undefined
  }
  readonly 'GET /runs/:run_id': {
    readonly request: {
      readonly path: { readonly run_id: string }
      readonly query?:
        | undefined
        | {
            /** Default: `1`. */ readonly output?: '0' | '1'
          }
    }
    readonly answer: Run
  }
  readonly 'DELETE /runs/:run_id': {
    readonly request: { readonly path: { readonly run_id: string } }
    readonly answer: CancelingRun
  }
  readonly 'GET /runs/:run_id/output': {
    readonly request: {
      readonly path: { readonly run_id: string }
      readonly query?:
        | undefined
        | {
            /** Default: `both`. */ readonly stream?: 'stdout' | 'stderr' | 'both'
            /** Default: `0`. */
            readonly follow?: '0' | '1'
          }
    }
    readonly answer: string
  }
  readonly 'POST /hash': {
    readonly request: { readonly body: { readonly message: string } }
    readonly answer: HashedMessage
  }
  readonly 'GET /metrics': { readonly answer: string }
  readonly 'GET /healthz': { readonly answer: { readonly status: 'ok' } }
  readonly 'GET /readyz': {
    readonly answer: {
      readonly status: 'ok'
      /** The number of files with webhooks that are refused; absent for none. */
      readonly refused_files?: number
    }
  }
}
