import { createRandom } from '../../../../test-support/random.ts'
import type { AskFleet } from './fleet.ts'
import { jsonPost, type RawAnswer, type RawRequest } from './http.ts'
import type { AlertState, Ledger, SilenceState } from './ledger.ts'
import { until } from './poll.ts'

/** Options of {@link createFleetLoad}. */
export interface FleetLoadOptions {
  readonly ask: AskFleet
  /** The number of concurrent posters of alerts, and the alerts that each posts in a round. */
  readonly alerts: { readonly owners: number; readonly perRound: number }
  /** The same for silences. */
  readonly silences: { readonly owners: number; readonly perRound: number }
}

/** Posters that share nothing but the processes: every alert and every silence has one owner. */
export interface FleetLoad {
  /** Posts, changes and ends alerts, and creates, changes and expires silences. Resolves when everything is acknowledged. */
  run(): Promise<void>
  /** The number of requests acknowledged so far. */
  acknowledged(): number
}

const alertsPerPost = 25
/** Longer than a silence needs to reach all processes, and than the longest outage of their storage. */
const newsWithinMs = 30_000

/**
 * A {@link FleetLoad} that records acknowledged requests in the ledger. Unanswered requests are repeated until they are answered.
 */
export function createFleetLoad(ledger: Ledger, options: FleetLoadOptions): FleetLoad {
  const { alerts, silences } = options
  let acknowledged = 0

  const ask: AskFleet = async (raw) => {
    const answer = await options.ask(raw)
    if (answer?.status === 200) acknowledged++
    else if (answer !== undefined && answer.status !== 404) {
      throw new Error(`${raw.method} ${raw.path} answered ${answer.status}: ${answer.body}`)
    }
    return answer
  }
  const owners = [
    ...numbered(alerts.owners).map((i) => alertOwner(ledger, ask, `a${i}`, alerts.perRound)),
    ...numbered(silences.owners).map((i) => silenceOwner(ledger, ask, `a${i}`, silences.perRound)),
  ]
  return {
    async run() {
      await Promise.all(owners.map((round) => round()))
    },
    acknowledged: () => acknowledged,
  }
}

const numbered = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

const startsAt = '2024-01-01T00:00:00.000Z'
const farAhead = Date.UTC(2040, 0, 1)

/** Each round posts new alerts and, after every second batch, an earlier one again: changed, or as resolved. */
function alertOwner(
  ledger: Ledger,
  ask: AskFleet,
  owner: string,
  perRound: number,
): () => Promise<void> {
  const random = createRandom(Number(owner.slice(1)) + 1)
  const batches: (readonly string[])[] = []
  let made = 0

  async function post(ids: readonly string[], over: boolean): Promise<void> {
    const states = ids.map(
      (id) => [id, nextState(ledger.alerts.get(id)?.acknowledged, over)] as const,
    )
    const body = states.map(([id, { version, endsAt }]) => ({
      labels: labelsOf(id),
      annotations: { version: String(version) },
      startsAt,
      endsAt,
    }))
    const raw = jsonPost('/api/v2/alerts', body)
    while ((await ask(raw)) === undefined);
    for (const [id, state] of states)
      ledger.alerts.set(id, { acknowledged: state, asked: undefined })
  }

  return async () => {
    for (let i = 0; i < perRound / alertsPerPost; i++) {
      const ids = numbered(alertsPerPost).map(() => `${owner}.${made++}`)
      await post(ids, false)
      batches.push(ids)
      if (i % 2 === 1) await post(random.pick(batches), random.next() < 0.2)
    }
  }
}

function nextState(before: AlertState | undefined, over: boolean): AlertState {
  const version = (before?.version ?? 0) + 1
  const endsAt = over
    ? '2024-06-01T00:00:00.000Z'
    : new Date(farAhead + version * 1000).toISOString()
  return { version, endsAt, over }
}

function labelsOf(id: string): Readonly<Record<string, string>> {
  const [owner = '', number] = id.split('.')
  const batch = String(Math.floor(Number(number) / alertsPerPost))
  const severity = Number(number) % 10 === 0 ? 'critical' : 'warning'
  return { alertname: 'Load', id, owner, batch, severity }
}

/** Each round creates silences of single alerts, changes most of them, and expires every third. */
function silenceOwner(
  ledger: Ledger,
  ask: AskFleet,
  owner: string,
  perRound: number,
): () => Promise<void> {
  let made = 0

  /** Another process may not have the silence yet. */
  const askWhoKnows = (raw: RawRequest): Promise<RawAnswer> =>
    until(
      `${raw.method} ${raw.path} finds the silence`,
      async () => {
        const answer = await ask(raw)
        return answer?.status === 404 ? undefined : answer
      },
      { withinMs: newsWithinMs, everyMs: 1 },
    )

  const acknowledge = (id: string, acknowledged: SilenceState): void => {
    ledger.silences.set(id, { acknowledged, asked: undefined })
  }

  async function create(): Promise<{ id: string; alert: string }> {
    for (;;) {
      const alert = `${owner}.${made++}`
      const comment = `${alert} version 1`
      ledger.unanswered.add(comment)
      const answer = await ask(silencePost(comment, startsAt))
      if (answer === undefined) continue
      const id = idIn(answer)
      ledger.unanswered.delete(comment)
      acknowledge(id, { comment, expired: false })
      return { id, alert }
    }
  }

  async function change(id: string, comment: string): Promise<void> {
    const { body } = await askWhoKnows({ method: 'GET', path: `/api/v2/silence/${id}` })
    const { startsAt: start }: { startsAt: string } = JSON.parse(body)
    const changed = idIn(await askWhoKnows(silencePost(comment, start, id)))
    if (changed !== id) throw new Error(`the change of ${id} made another silence: ${changed}`)
    acknowledge(id, { comment, expired: false })
  }

  return async () => {
    for (let i = 0; i < perRound; i++) {
      const { id, alert } = await create()
      let comment = `${alert} version 1`
      for (let version = 2; version <= 1 + (made % 3); version++) {
        comment = `${alert} version ${version}`
        await change(id, comment)
      }
      if (i % 3 !== 2) continue
      await askWhoKnows({ method: 'DELETE', path: `/api/v2/silence/${id}` })
      acknowledge(id, { comment, expired: true })
    }
  }
}

function silencePost(comment: string, start: string, id?: string): RawRequest {
  const [value] = comment.split(' ')
  return jsonPost('/api/v2/silences', {
    ...(id === undefined ? {} : { id }),
    matchers: [{ name: 'id', value, isRegex: false, isEqual: true }],
    startsAt: start,
    endsAt: new Date(farAhead).toISOString(),
    createdBy: 'load',
    comment,
  })
}

function idIn({ body }: RawAnswer): string {
  const { silenceID }: { silenceID?: unknown } = JSON.parse(body)
  if (typeof silenceID !== 'string') throw new Error(`no silence id in ${body}`)
  return silenceID
}
