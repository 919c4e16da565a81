import { deepStrictEqual } from 'node:assert'
import { send } from './http.ts'

/** An alert as it was posted. */
export interface AlertState {
  /** Counts the posts; stored in an annotation. */
  readonly version: number
  readonly endsAt: string
  /** It has ended, so it is not listed. */
  readonly over: boolean
}

/** A silence as it was posted or expired. */
export interface SilenceState {
  /** Also the value of its matcher, up to the first blank. */
  readonly comment: string
  readonly expired: boolean
}

/** The last acknowledged state, and later requests without a response, which may have been applied or not. */
export interface Entry<State> {
  readonly acknowledged: State | undefined
  readonly asked: State | undefined
}

/** The clients' knowledge of the alerts and silences of one storage folder. */
export class Ledger {
  /** By the label `id`. */
  readonly alerts: Map<string, Entry<AlertState>> = new Map()
  /** By silence id. */
  readonly silences: Map<string, Entry<SilenceState>> = new Map()
  /** Comments of silences that may have been created, under ids that no client received. */
  readonly unanswered: Set<string> = new Set()

  /** Requires that a server has everything that was acknowledged and nothing that was never posted. */
  async verify(port: number): Promise<void> {
    this.#verifyAlerts(await listOf<ListedAlert>(port, '/api/v2/alerts'))
    this.#verifySilences(await listOf<ListedSilence>(port, '/api/v2/silences'))
  }

  #verifyAlerts(listed: readonly ListedAlert[]): void {
    const found = new Map(listed.map((alert) => [alert.labels.id, alert] as const))
    const wrong: unknown[] = []
    for (const [id, { acknowledged, asked }] of this.alerts) {
      const alert = found.get(id)
      found.delete(id)
      const candidates = asked === undefined ? [acknowledged] : [acknowledged, asked]
      const held = candidates.findIndex((state) => holdsAlert(state, alert))
      if (held === -1) wrong.push({ id, acknowledged, asked, found: alert ?? 'nothing' })
      this.alerts.set(id, { acknowledged: candidates[held], asked: undefined })
    }
    deepStrictEqual({ wrong, unknown: [...found.values()] }, { wrong: [], unknown: [] })
  }

  #verifySilences(listed: readonly ListedSilence[]): void {
    const found = new Map(listed.map((silence) => [silence.id, silence] as const))
    const wrong: unknown[] = []
    for (const [id, { acknowledged, asked }] of this.silences) {
      const silence = found.get(id)
      found.delete(id)
      const candidates = asked === undefined ? [acknowledged] : [acknowledged, asked]
      const held = candidates.findIndex((state) => holdsSilence(state, silence))
      if (held === -1) wrong.push({ id, acknowledged, asked, found: silence ?? 'nothing' })
      this.silences.set(id, { acknowledged: candidates[held], asked: undefined })
    }
    for (const [id, silence] of found) {
      const state = { comment: silence.comment, expired: false }
      if (!this.unanswered.delete(silence.comment) || !holdsSilence(state, silence)) continue
      this.silences.set(id, { acknowledged: state, asked: undefined })
      found.delete(id)
    }
    deepStrictEqual({ wrong, unknown: [...found.values()] }, { wrong: [], unknown: [] })
  }
}

interface ListedAlert {
  labels: { id: string }
  annotations: { version: string }
  endsAt: string
}

interface ListedSilence {
  id: string
  comment: string
  status: { state: string }
  matchers: { value: string }[]
}

function holdsAlert(state: AlertState | undefined, alert: ListedAlert | undefined): boolean {
  if (state === undefined || state.over) return alert === undefined
  return alert?.annotations.version === String(state.version) && alert.endsAt === state.endsAt
}

function holdsSilence(
  state: SilenceState | undefined,
  silence: ListedSilence | undefined,
): boolean {
  if (state === undefined) return silence === undefined
  return (
    silence?.comment === state.comment &&
    silence.status.state === (state.expired ? 'expired' : 'active') &&
    silence.matchers.length === 1 &&
    silence.matchers[0]?.value === state.comment.split(' ')[0]
  )
}

async function listOf<T>(port: number, path: string): Promise<readonly T[]> {
  const { status, body } = await send(port, { method: 'GET', path })
  deepStrictEqual({ path, status }, { path, status: 200 })
  const list: T[] = JSON.parse(body)
  return list
}
