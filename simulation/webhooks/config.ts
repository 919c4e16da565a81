/** A webhook of the simulation, with the figures that its properties are checked against. */
export interface SimulatedWebhook {
  readonly id: string
  readonly mode: 'sync' | 'async'
  /** For each of the configurations. */
  readonly concurrency: readonly [number, number]
  readonly on_busy: 'queue' | 'reject' | 'latest'
  /** How many runs may wait in one process. */
  readonly queue: number
  /** Whether its deliveries carry an idempotency key. */
  readonly hasKeys: boolean
  readonly rate: { readonly runs: number; readonly per: number } | undefined
}

const plain = {
  mode: 'async',
  on_busy: 'queue',
  queue: 100,
  hasKeys: false,
  rate: undefined,
} as const

/** The webhooks of this world. */
export const webhooks: readonly SimulatedWebhook[] = [
  { ...plain, id: 'one', concurrency: [1, 2] },
  { ...plain, id: 'two', concurrency: [2, 1], mode: 'sync', queue: 2 },
  { ...plain, id: 'rejects', concurrency: [1, 1], mode: 'sync', on_busy: 'reject' },
  { ...plain, id: 'latest', concurrency: [1, 1], on_busy: 'latest' },
  { ...plain, id: 'keyed', concurrency: [0, 0], hasKeys: true },
  { ...plain, id: 'keyed-one', concurrency: [1, 1], mode: 'sync', hasKeys: true },
  { ...plain, id: 'rated', concurrency: [0, 0], rate: { runs: 3, per: 15_000 } },
]

/** The command timeout, and the time from SIGTERM to SIGKILL, in ms. */
export const timeoutMs = 12_000
export const killGraceMs = 2_000

export const token = 't'

/** The configurations. Processes use one of them at a time. */
export const configs: readonly object[] = ([0, 1] as const).map((index) => ({
  limits: { concurrency: 6 },
  webhooks: webhooks.map(({ id, mode, concurrency, on_busy, queue, hasKeys, rate }) => ({
    id,
    token,
    execute_command: '/bin/job',
    workdir: '/',
    command_arguments: [{ name: '', source: 'data.script' }],
    mode,
    concurrency: concurrency[index],
    queue,
    on_busy,
    timeout: timeoutMs / 1_000,
    kill_grace: killGraceMs / 1_000,
    ...(hasKeys ? { dedupe: { key: 'data.key', ttl: '24h' } } : {}),
    ...(rate === undefined ? {} : { rate_limit: { runs: rate.runs, per: rate.per / 1_000 } }),
  })),
}))
