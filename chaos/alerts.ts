import { setTimeout as sleep } from 'node:timers/promises'
import type { RawAnswer, RawRequest } from '../packages/cli/test/support/http.ts'
import { jsonPost } from '../packages/cli/test/support/http.ts'
import { Ledger } from '../packages/cli/test/support/ledger.ts'
import type { ReceivedWebhook } from '../packages/cli/test/support/webhook-receiver.ts'
import type { Story } from './story.ts'

/** Sends a request to any process that is up; `undefined` if none is, or if the response was cut off. */
export type Ask = (raw: RawRequest) => Promise<RawAnswer | undefined>

/** Clients of the alert service that repeat each request until it is acknowledged. */
export interface AlertClients {
  /** The acknowledged alerts and silences. */
  readonly ledger: Ledger
  post(group: string, name: string, fires: boolean): void
  /** Silences a group, lets an alert of it fire, and expires the silence after some time. */
  silence(group: string, forMs: number): void
  /** Resolves once every request is acknowledged, and every silence has expired. */
  settled(): Promise<void>
  /** To be called with each notification that arrives. */
  heard(webhook: ReceivedWebhook): void
  /** Alerts whose state differs from the last message of their receiver. */
  untrue(accepted: readonly ReceivedWebhook[]): readonly string[]
}

const startsAt = '2024-01-01T00:00:00.000Z'
const farAhead = Date.UTC(2040, 0, 1)

/** Creates {@link AlertClients} that have sent nothing yet. */
export function createAlertClients({ ask, story }: { ask: Ask; story: Story }): AlertClients {
  const ledger = new Ledger()
  const fires = new Map<string, boolean>()
  /** The last post of each alert: posts of one alert run one after another. */
  const chains = new Map<string, Promise<void>>()
  /** When each silence may end, as `performance.now()`. */
  const silencedUntil = new Map<string, number>()

  /** Repeats a request until its status is one of those expected. */
  const insist = async (raw: RawRequest, expected: readonly number[]): Promise<RawAnswer> => {
    for (;;) {
      const answer = await ask(raw)
      if (answer !== undefined && expected.includes(answer.status)) return answer
      if (answer !== undefined && answer.status !== 503) {
        const { status, body } = answer
        story.fail('requests are understood', `${raw.method} ${raw.path} got ${status}: ${body}`)
      }
      await sleep(20)
    }
  }

  const after = (key: string, work: () => Promise<void>): void => {
    chains.set(key, (chains.get(key) ?? Promise.resolve()).then(work))
  }

  const postNow = async (group: string, name: string, isFiring: boolean): Promise<void> => {
    const id = `${group}.${name}`
    const acknowledged = ledger.alerts.get(id)?.acknowledged
    const version = (acknowledged?.version ?? 0) + 1
    const endsAt = isFiring
      ? new Date(farAhead + version * 1_000).toISOString()
      : '2024-06-01T00:00:00.000Z'
    const asked = { version, endsAt, over: !isFiring }
    ledger.alerts.set(id, { acknowledged, asked })
    const labels = { alertname: name, group, id }
    const alert = { labels, annotations: { version: String(version) }, startsAt, endsAt }
    await insist(jsonPost('/api/v2/alerts', [alert]), [200])
    ledger.alerts.set(id, { acknowledged: asked, asked: undefined })
    fires.set(id, isFiring)
    story.note(group, `${name} ${isFiring ? 'fires' : 'is resolved'}`)
  }

  const silenceNow = async (group: string): Promise<void> => {
    const comment = `${group} version 1`
    ledger.unanswered.add(comment)
    const matchers = [{ name: 'group', value: group, isRegex: false, isEqual: true }]
    const endsAt = new Date(farAhead).toISOString()
    const silence = { matchers, startsAt, endsAt, createdBy: 'chaos', comment }
    const { body } = await insist(jsonPost('/api/v2/silences', silence), [200])
    const { silenceID }: { silenceID: string } = JSON.parse(body)
    ledger.silences.set(silenceID, {
      acknowledged: { comment, expired: false },
      asked: undefined,
    })
    story.note(group, `is silenced by ${silenceID}`)
  }

  /** Expires every silence of a group, including silences whose creation was not acknowledged. */
  const expireAll = async (group: string): Promise<boolean> => {
    const filter = encodeURIComponent(`group="${group}"`)
    const { body } = await insist(
      { method: 'GET', path: `/api/v2/silences?filter=${filter}` },
      [200],
    )
    const found: { id: string; comment: string; status: { state: string } }[] = JSON.parse(body)
    const active = found.filter(({ status }) => status.state !== 'expired')
    for (const { id, comment } of active) {
      const acknowledged = { comment, expired: false }
      ledger.silences.set(id, { acknowledged, asked: { comment, expired: true } })
      // Another process may not know the silence yet, and it may have expired already.
      const { status } = await insist(
        { method: 'DELETE', path: `/api/v2/silence/${id}` },
        [200, 404, 500],
      )
      if (status !== 200) continue
      ledger.silences.set(id, { acknowledged: { comment, expired: true }, asked: undefined })
      story.note(group, `is no longer silenced by ${id}`)
    }
    return active.length === 0
  }

  return {
    ledger,
    post: (group, name, isFiring) =>
      after(`${group}.${name}`, () => postNow(group, name, isFiring)),

    silence(group, forMs) {
      silencedUntil.set(group, Number.POSITIVE_INFINITY)
      after(group, async () => {
        await silenceNow(group)
        await postNow(group, 'one', true)
        await sleep(forMs)
        silencedUntil.set(group, performance.now())
        while (!(await expireAll(group))) await sleep(20)
      })
    },

    async settled() {
      await Promise.all(chains.values())
      for (const group of silencedUntil.keys()) while (!(await expireAll(group))) await sleep(20)
    },

    heard({ at, body }) {
      const { group = '' } = body.groupLabels
      const sent = body.alerts.map(({ labels, status }) => `${labels.alertname} ${status}`)
      story.note(group, `the receiver gets: ${sent.join(', ')}`)
      if (at < (silencedUntil.get(group) ?? 0)) {
        story.fail('silenced alerts are not sent', `group ${group}`)
      }
    },

    untrue(accepted) {
      const last = new Map<string, ReceivedWebhook>()
      for (const webhook of accepted) last.set(webhook.body.groupLabels.group ?? '', webhook)
      return [...fires].flatMap(([id, isFiring]) => {
        const sent = last.get(id.split('.')[0] ?? '')?.body.alerts
        const isSentFiring = sent?.some((one) => one.labels.id === id && one.status === 'firing')
        if (isFiring === (isSentFiring ?? false)) return []
        return [`${id} ${isFiring ? 'fires' : 'is resolved'}`]
      })
    },
  }
}
