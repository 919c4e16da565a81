import type { Notification, Notifier, NotifyResult } from '@gatehouse/core/alerts'
import type { Random } from '../../test-support/random.ts'
import type { Life } from '../machine.ts'
import type { Timeline } from '../timeline.ts'
import type { ReceiverMood } from './plan.ts'

/** One attempt to send a notification. */
export interface Attempt {
  readonly startedAt: number
  /** The machine that sent it. */
  readonly from: string
  readonly receiver: string
  /** Its key in the notification log. */
  readonly integration: string
  readonly groupKey: string
  /** The `alertname` its alerts share. */
  readonly group: string
  readonly reason: string
  /** As `A/1`. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  /** When the receiver accepted it; `undefined` if it did not. */
  handledAt: number | undefined
  /** When its sender learned the result; `undefined` if it never did. */
  answeredAt: number | undefined
  /** Whether its sender learned that it was accepted. */
  isConfirmed: boolean
}

/** The receivers of a run. */
export interface Receivers {
  /** Every attempt in order of start. */
  readonly attempts: readonly Attempt[]
  /** The accepted attempts, in the same order. */
  readonly handled: readonly Attempt[]
  mood: ReceiverMood
  /** The name of the integrations that the mood concerns; `undefined` for all. */
  only: string | undefined
  /** Calls `begins` when an attempt begins. */
  onAttempt(begins: (attempt: Attempt) => void): void
  /** The notifiers that a process uses for a receiver. */
  notifiersOf(life: Life, receiver: string): readonly Notifier[]
}

/** Receivers that have received nothing yet. */
export function createReceivers({
  timeline,
  random,
  tell,
}: {
  timeline: Timeline
  random: Random
  tell: (text: string) => void
}): Receivers {
  const attempts: Attempt[] = []
  const handled: Attempt[] = []
  const listeners: ((attempt: Attempt) => void)[] = []

  const handle = (attempt: Attempt, mood: ReceiverMood): NotifyResult => {
    if (mood === 'refuses') return { outcome: 'retry', reason: 'serverError', detail: 'refused' }
    if (mood === 'fails') return { outcome: 'failed', reason: 'clientError', detail: 'failed' }
    attempt.handledAt = timeline.now
    handled.push(attempt)
    const { receiver, integration, from, firing, resolved, reason } = attempt
    const about = [
      ...firing.map((one) => `${one} fires`),
      ...resolved.map((one) => `${one} is resolved`),
    ]
    tell(`receiver ${receiver} (${integration}) gets from ${from}: ${about.join(', ')} [${reason}]`)
    if (mood === 'errs') {
      // As a gateway in front of the receiver answers when it has lost the receiver's response.
      return { outcome: 'retry', reason: 'serverError', detail: 'an error', mayHaveArrived: true }
    }
    return { outcome: 'sent' }
  }

  /** By process and integration, the arrival of the last message. */
  const onTheWay = new WeakMap<Life, Map<string, Promise<void>>>()

  const notify = (
    life: Life,
    attempt: Attempt,
    signal: Parameters<Notifier['notify']>[1],
  ): Promise<NotifyResult> => {
    attempts.push(attempt)
    for (const begins of listeners) begins(attempt)
    timeline.note(`${attempt.from} sends ${attempt.receiver} ${attempt.firing} ${attempt.resolved}`)
    const { only } = receivers
    const isOther = only !== undefined && !attempt.integration.includes(`:${only}/`)
    const mood = isOther ? 'fine' : receivers.mood
    const back = mood === 'slow' ? random.between(1_000, 25_000) : random.between(0, 5)
    // Messages of one process to a receiver arrive in this order, including messages that it has given up on.
    const ways = onTheWay.get(life) ?? new Map<string, Promise<void>>()
    onTheWay.set(life, ways)
    const way = `${attempt.receiver} ${attempt.integration}`
    const before = ways.get(way)
    let arrive = (): void => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    ways.set(way, arrived)
    const effect = async (): Promise<NotifyResult> => {
      await before
      const result = handle(attempt, mood)
      arrive()
      return mood === 'ignores' ? new Promise(() => {}) : result
    }
    const aborted = new Promise<NotifyResult>((resolve) => {
      signal.addEventListener('abort', () =>
        resolve({
          outcome: 'retry',
          reason: 'contextCanceled',
          detail: 'aborted',
          mayHaveArrived: true,
        }),
      )
    })
    const answer = Promise.race([
      life.call('send', effect, { there: random.between(1, 20), back }),
      aborted,
    ])
    void answer.then(({ outcome }) => {
      attempt.answeredAt = timeline.now
      attempt.isConfirmed = outcome === 'sent'
    })
    return answer
  }

  const receivers: Receivers = {
    attempts,
    handled,
    mood: 'fine',
    only: undefined,
    onAttempt: (begins) => void listeners.push(begins),
    notifiersOf: (life, receiver) =>
      (receiver === 'pair' ? ['x', 'y'] : ['x']).map((name, index) => ({
        name,
        notify: (notification, signal) =>
          notify(
            life,
            attemptOf(notification, {
              startedAt: timeline.now,
              from: life.machine.name,
              integration: `code:${name}/${index}`,
            }),
            signal,
          ),
      })),
  }
  return receivers
}

function attemptOf(
  { receiver, groupKey, groupLabels, reason, alerts }: Notification,
  by: Pick<Attempt, 'startedAt' | 'from' | 'integration'>,
): Attempt {
  const named = (status: string): string[] =>
    alerts
      .filter((one) => one.status === status)
      .map(({ labels }) => `${labels.alertname}/${labels.instance}`)
      .sort()
  return {
    ...by,
    receiver,
    groupKey,
    group: groupLabels.alertname ?? '',
    reason,
    firing: named('firing'),
    resolved: named('resolved'),
    handledAt: undefined,
    answeredAt: undefined,
    isConfirmed: false,
  }
}
