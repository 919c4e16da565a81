import { Agent } from 'node:http'
import { jsonPost, type RawRequest, send } from './http.ts'
import type { Server } from './server.ts'
import {
  configFor,
  lastsSeconds,
  statusFor,
  type Timeline,
  type TimelineEvent,
} from './timelines.ts'
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts'

/** One system that timelines are played to: a server and the notifications it sent. */
export interface Player {
  readonly server: Server
  readonly receiver: WebhookReceiver
  stop(): Promise<void>
}

/** A system with a receiver of its own. */
export async function startPlayer(
  start: (options: { config: string }) => Promise<Server>,
): Promise<Player> {
  const receiver = await startWebhookReceiver({
    answer: ({ path }, earlier) => statusFor(path, earlier),
  })
  try {
    const server = await start({ config: configFor(receiver.url) })
    return {
      server,
      receiver,
      async stop() {
        await server.stop()
        await receiver.stop()
      },
    }
  } catch (error) {
    await receiver.stop()
    throw error
  }
}

/** A notification caused by a timeline. */
export interface PlayedNotification {
  /** Seconds from the start. */
  readonly at: number
  readonly content: unknown
}

/** The notifications of every timeline: by timeline, then by path and group key, in the order of arrival. */
export type Played = ReadonlyMap<string, ReadonlyMap<string, readonly PlayedNotification[]>>

/** Plays all timelines at the same time to all systems, and returns each system's notifications. */
export async function playTimelines(
  players: readonly Player[],
  timelines: readonly Timeline[],
): Promise<readonly Played[]> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const ask = async ({ server }: Player, raw: RawRequest): Promise<string> => {
    const { status, body } = await send(server.port, raw, agent)
    if (status !== 200) throw new Error(`${raw.method} ${raw.path} answered ${status}: ${body}`)
    return body
  }
  try {
    await Promise.all(timelines.map((timeline) => playOne(players, timeline, { ask, startedAt })))
    await sleepUntil(startedAt + lastsSeconds * 1_000)
  } finally {
    agent.destroy()
  }
  return players.map(({ receiver }) => byTimeline(receiver.received, startedAt))
}

const sleepUntil = (at: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))

interface Course {
  ask: (player: Player, raw: RawRequest) => Promise<string>
  /** On the clock of `performance.now()`. */
  startedAt: number
}

async function playOne(
  players: readonly Player[],
  timeline: Timeline,
  { ask, startedAt }: Course,
): Promise<void> {
  /** The start of each firing alert. */
  const firing = new Map<string, string>()
  const silences = new Map<Player, string>()

  const happen = async (event: TimelineEvent): Promise<void> => {
    const alerts = alertsOf(timeline, event, firing)
    const silence = event.silenceFor && silenceOf(timeline, event.silenceFor)
    await Promise.all(
      players.map(async (player) => {
        if (alerts.length > 0) await ask(player, jsonPost('/api/v2/alerts', alerts))
        if (silence) {
          const answer = await ask(player, jsonPost('/api/v2/silences', silence))
          silences.set(player, JSON.parse(answer).silenceID)
        }
        if (event.expireSilence) {
          const path = `/api/v2/silence/${silences.get(player)}`
          await ask(player, { method: 'DELETE', path })
        }
      }),
    )
  }

  for (const event of timeline.events) {
    await sleepUntil(startedAt + event.at * 1_000)
    await happen(event)
  }
}

const instant = (secondsFromNow: number): string =>
  new Date(Date.now() + secondsFromNow * 1_000).toISOString()

function alertsOf(
  timeline: Timeline,
  { fire = [], resolve = [] }: TimelineEvent,
  firing: Map<string, string>,
): readonly object[] {
  const { name, labels, labelsOf, annotationsOf, olderBy = 0, endsIn = 3_600 } = timeline
  const alert = (alertname: string, endsAt: string): object => ({
    labels: { ...labels, ...labelsOf?.[alertname], timeline: name, alertname },
    annotations: annotationsOf?.[alertname] ?? {},
    startsAt: firing.get(alertname),
    endsAt,
  })
  for (const one of fire) firing.set(one, instant(-olderBy))
  return [
    ...fire.map((one) => alert(one, instant(endsIn))),
    ...resolve.map((one) => alert(one, instant(-0.001))),
  ]
}

const silenceOf = ({ name }: Timeline, seconds: number): object => ({
  matchers: [{ name: 'timeline', value: name, isRegex: false, isEqual: true }],
  startsAt: instant(0),
  endsAt: instant(seconds),
  createdBy: 'test',
  comment: 'quiet',
})

function byTimeline(received: readonly ReceivedWebhook[], startedAt: number): Played {
  const played = new Map<string, Map<string, PlayedNotification[]>>()
  for (const { at, path, body } of received) {
    const seconds = (at - startedAt) / 1_000
    if (seconds > lastsSeconds) continue
    const timeline = body.alerts[0]?.labels.timeline ?? ''
    const streams = played.get(timeline) ?? new Map<string, PlayedNotification[]>()
    const stream = `${path} ${body.groupKey}`
    const { receiver, status, alerts, groupLabels, commonLabels, commonAnnotations } = body
    const content = {
      receiver,
      status,
      alerts: alerts.map((one) => ({
        status: one.status,
        labels: one.labels,
        fingerprint: one.fingerprint,
      })),
      groupLabels,
      commonLabels,
      commonAnnotations,
      truncatedAlerts: body.truncatedAlerts,
    }
    const before = streams.get(stream) ?? []
    played.set(timeline, streams.set(stream, [...before, { at: seconds, content }]))
  }
  return played
}
