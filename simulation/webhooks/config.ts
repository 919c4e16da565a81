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
  /** How often its command is started again. */
  readonly retries: number
  /** It also runs, or only runs, without a delivery; not in every world. */
  readonly own: { readonly after: string } | { readonly cron: string } | 'on alert' | undefined
}

const plain = {
  mode: 'async',
  on_busy: 'queue',
  queue: 100,
  hasKeys: false,
  rate: undefined,
  retries: 0,
  own: undefined,
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
  { ...plain, id: 'retried', concurrency: [1, 1], retries: 2 },
  { ...plain, id: 'follows', concurrency: [1, 0], own: { after: 'retried' } },
  { ...plain, id: 'ticks', concurrency: [1, 1], own: { cron: '* * * * *' } },
  { ...plain, id: 'alerted', concurrency: [1, 2], own: 'on alert' },
]

/** Those that senders know and that earlier seeds chose from, and the others. */
export const firstWebhooks: readonly SimulatedWebhook[] = webhooks.slice(0, 7)
export const retried = 'retried'
export const followers: readonly string[] = ['follows']
export const scheduled = 'ticks'
export const alerted = 'alerted'

/** The argument of a command that no sender asked for. */
export const ownScript = 'own'

/** The command timeout, and the time from SIGTERM to SIGKILL, in ms. */
export const timeoutMs = 12_000
export const killGraceMs = 2_000

export const token = 't'

/** A configuration. Processes use one of two at a time, both with or without what runs on its own. */
export const configOf = (index: 0 | 1, hasOwn: boolean): object => ({
  limits: { concurrency: 6 },
  webhooks: webhooks.map(({ id, mode, concurrency, on_busy, queue, hasKeys, ...more }) => ({
    id,
    token,
    execute_command: '/bin/job',
    workdir: '/',
    command_arguments: [{ name: '', source: 'data.script', default: ownScript }],
    mode,
    concurrency: concurrency[index],
    queue,
    on_busy,
    timeout: timeoutMs / 1_000,
    kill_grace: killGraceMs / 1_000,
    ...(hasKeys ? { dedupe: { key: 'data.key', ttl: '24h' } } : {}),
    ...(more.rate === undefined
      ? {}
      : { rate_limit: { runs: more.rate.runs, per: more.rate.per / 1_000 } }),
    ...(more.retries === 0 ? {} : { retries: { count: more.retries, delay: 2, max_delay: 3 } }),
    ...(hasOwn ? ownOf(more.own) : {}),
  })),
})

function ownOf(own: SimulatedWebhook['own']): object {
  if (own === undefined) return {}
  if (own === 'on alert') return { on_alert: true }
  return 'cron' in own ? { schedule: own } : { after: { webhook: own.after, on: 'always' } }
}
