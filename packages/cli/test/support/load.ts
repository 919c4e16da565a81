import { Agent } from 'node:http'
import { createRandom, type Random } from '../../../../test-support/random.ts'
import { jsonPost, type RawAnswer, type RawRequest, send } from './http.ts'
import type { AlertState, Ledger } from './ledger.ts'

/** Options of {@link startLoad}. */
export interface LoadOptions {
  port: number
  /** A unique number for every load on one ledger: names and random choices depend on it. */
  series: number
  alertConnections: number
  silenceConnections: number
}

/** Requests sent one after the other over several connections, until the server is gone or `stop`. */
export interface Load {
  /** Sends nothing new. `done` waits for the requests in flight. */
  stop(): void
  /** Resolves when all connections have ended; rejects if the server refused anything. */
  readonly done: Promise<void>
  /** The number of requests answered with 200 so far. */
  answered(): number
}

/** Sends one request; `undefined` if the connection broke before the whole response arrived. */
type Ask = (raw: RawRequest) => Promise<RawAnswer | undefined>

/**
 * Posts, repeats and ends alerts and creates, edits and expires silences. Every connection has its own alerts and silences.
 * Acknowledged requests are recorded in the ledger.
 */
export function startLoad(ledger: Ledger, options: LoadOptions): Load {
  const { port, series, alertConnections, silenceConnections } = options
  let stopped = false
  let answered = 0

  async function connection(turnOf: (ask: Ask) => () => Promise<void>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let gone = false
    const turn = turnOf(async (raw) => {
      const answer = await answerOf(port, raw, agent)
      if (answer === undefined) gone = true
      else answered++
      return answer
    })
    try {
      while (!gone && !stopped) await turn()
    } finally {
      agent.destroy()
    }
  }

  const alertPosters = Array.from({ length: alertConnections }, (_, i) =>
    connection((ask) =>
      alertPoster(ledger, `a${series}.${i}`, createRandom(series * 100 + i), ask),
    ),
  )
  const silencePosters = Array.from({ length: silenceConnections }, (_, i) =>
    connection((ask) =>
      silencePoster(ledger, `s${series}.${i}`, createRandom(series * 100 + i), ask),
    ),
  )
  return {
    stop: () => {
      stopped = true
    },
    done: Promise.all([...alertPosters, ...silencePosters]).then(() => undefined),
    answered: () => answered,
  }
}

/** @throws {Error} if the status is not 200: the load sends only valid requests. */
async function answerOf(
  port: number,
  raw: RawRequest,
  agent: Agent,
): Promise<RawAnswer | undefined> {
  let answer: RawAnswer
  try {
    answer = await send(port, raw, agent)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE') return undefined
    throw error
  }
  if (answer.status === 0) return undefined
  if (answer.status === 200) return answer
  throw new Error(`${raw.method} ${raw.path} answered ${answer.status}: ${answer.body}`)
}

const startsAt = '2024-01-01T00:00:00.000Z'
const farAhead = Date.UTC(2040, 0, 1)

function alertPoster(ledger: Ledger, owner: string, random: Random, ask: Ask): () => Promise<void> {
  const own: string[] = []
  return async () => {
    const isNew = own.length < 10 || random.next() < 0.6
    const over = !isNew && random.next() < 0.3
    const next = new Map<string, AlertState>()
    for (let i = 0; i < 5; i++) {
      const id = isNew ? `${owner}.${own.length}` : random.pick(own)
      if (isNew) own.push(id)
      const before = ledger.alerts.get(id)?.acknowledged
      const version = (before?.version ?? 0) + 1
      const endsAt = over
        ? '2024-06-01T00:00:00.000Z'
        : new Date(farAhead + version * 1000).toISOString()
      next.set(id, { version, endsAt, over })
      ledger.alerts.set(id, { acknowledged: before, asked: { version, endsAt, over } })
    }
    const alerts = [...next].map(([id, { version, endsAt }]) => ({
      labels: { alertname: 'Load', id, owner },
      annotations: { version: String(version) },
      startsAt,
      endsAt,
    }))
    if ((await ask(jsonPost('/api/v2/alerts', alerts))) === undefined) return
    for (const [id, acknowledged] of next) ledger.alerts.set(id, { acknowledged, asked: undefined })
  }
}

function silencePoster(
  ledger: Ledger,
  owner: string,
  random: Random,
  ask: Ask,
): () => Promise<void> {
  const own: string[] = []
  let made = 0

  async function create(): Promise<void> {
    const comment = `${owner}.${made++} version 1`
    ledger.unanswered.add(comment)
    const answer = await ask(silencePost(comment, startsAt))
    if (answer === undefined) return
    const id = idIn(answer)
    ledger.unanswered.delete(comment)
    ledger.silences.set(id, { acknowledged: { comment, expired: false }, asked: undefined })
    own.push(id)
  }

  async function edit(id: string): Promise<void> {
    const before = ledger.silences.get(id)?.acknowledged
    const current = await ask({ method: 'GET', path: `/api/v2/silence/${id}` })
    if (current === undefined || before === undefined) return
    const { startsAt: start }: { startsAt: string } = JSON.parse(current.body)
    const [name, , version] = before.comment.split(' ')
    const asked = { comment: `${name} version ${Number(version) + 1}`, expired: false }
    ledger.silences.set(id, { acknowledged: before, asked })
    const answer = await ask(silencePost(asked.comment, start, id))
    if (answer === undefined) return
    if (idIn(answer) !== id)
      throw new Error(`the edit of ${id} made another silence: ${answer.body}`)
    ledger.silences.set(id, { acknowledged: asked, asked: undefined })
  }

  async function expire(id: string): Promise<void> {
    const before = ledger.silences.get(id)?.acknowledged
    if (before === undefined) return
    const asked = { ...before, expired: true }
    ledger.silences.set(id, { acknowledged: before, asked })
    if ((await ask({ method: 'DELETE', path: `/api/v2/silence/${id}` })) === undefined) return
    ledger.silences.set(id, { acknowledged: asked, asked: undefined })
    own.splice(own.indexOf(id), 1)
  }

  return () => {
    const choice = random.next()
    if (own.length < 3 || choice < 0.5) return create()
    return choice < 0.8 ? edit(random.pick(own)) : expire(random.pick(own))
  }
}

function silencePost(comment: string, start: string, id?: string): RawRequest {
  const value = comment.split(' ')[0]
  return jsonPost('/api/v2/silences', {
    ...(id === undefined ? {} : { id }),
    matchers: [{ name: 'owner', value, isRegex: false, isEqual: true }],
    startsAt: start,
    endsAt: '2040-01-01T00:00:00.000Z',
    createdBy: 'load',
    comment,
  })
}

function idIn(answer: RawAnswer): string {
  const id = /"silenceID":"([^"]+)"/.exec(answer.body)?.[1]
  if (id === undefined) throw new Error(`no silence id in ${answer.body}`)
  return id
}
