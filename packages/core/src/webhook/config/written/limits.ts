/** What bounds the whole service. */
export interface WrittenLimits {
  /** The largest body of a request (default `4MiB`). */
  readonly body_bytes?: string | number
  /** What all bodies that are held at once may be together (default `64MiB`). */
  readonly body_total_bytes?: string | number
  /** How many runs there are at once (default: twice the number of processors, at least 4). */
  readonly concurrency?: number
  /** How many runs wait at most (default 1000). */
  readonly queue?: number
  /** How deep a JSON body may be nested (default 64). */
  readonly json_depth?: number
  /** How long a command line may be (default 131072 bytes). */
  readonly command_line_bytes?: string | number
  /** How long the headers of a request may take, for the command (default `10s`). */
  readonly header_timeout?: string | number
  /** How long a request may take to arrive, for the command (default `30s`). */
  readonly request_timeout?: string | number
  /** How long an idle connection stays open, for the command (default `5s`). */
  readonly keepalive_timeout?: string | number
  /** How many connections there are at once, for the command (default 1024). */
  readonly max_connections?: number
}

/** What is kept of runs. */
export interface WrittenHistory {
  /** How many runs are kept (default 500). */
  readonly max_runs?: number
  /** How long a run is kept (default `24h`). */
  readonly max_age?: string | number
  /** How much of each output is kept (default `64KiB`). */
  readonly output_bytes?: string | number
  /** Whether the arguments of commands are kept (default `false`). */
  readonly argv?: boolean
}
