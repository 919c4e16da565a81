import type { Storage, WebhooksContext } from '@gatehouse/core'
import { keyCollection } from '../../packages/core/src/webhook/records/dedupe.ts'
import { dueCollection } from '../../packages/core/src/webhook/records/due-run.ts'
import {
  latestCollection,
  placeCollection,
  waitCollection,
} from '../../packages/core/src/webhook/records/place-records.ts'
import { runCollection } from '../../packages/core/src/webhook/records/run-record.ts'
import { serverCollection } from '../../packages/core/src/webhook/records/server-record.ts'
import { hasEnded } from '../../packages/core/src/webhook/run.ts'
import type { Struck } from '../cluster.ts'
import type { Life, Machine } from '../machine.ts'
import type { Failure } from '../run.ts'
import { type AlertRuns, groupOf } from './alert-runs.ts'
import {
  followers,
  killGraceMs,
  type SimulatedWebhook,
  scheduled,
  timeoutMs,
  webhooks,
} from './config.ts'
import type { Hosts } from './hosts.ts'
import type { DeliverEvent } from './plan.ts'
import type { Senders, Sent } from './senders.ts'
import type { WebhooksWatch } from './watch.ts'

/** The input of the checks at the end of a run of the webhooks world. */
export interface WebhooksRun {
  readonly watch: WebhooksWatch
  readonly senders: Senders
  readonly alertRuns: AlertRuns
  readonly hosts: Hosts
  readonly faults: readonly Struck[]
  readonly machines: readonly Machine[]
  readonly services: readonly { readonly life: Life; readonly service: WebhooksContext }[]
  readonly storage: Storage
  /** Processes that are shutting down. */
  readonly closing: ReadonlySet<Life>
  /** Deliveries sent after everything was in order again. */
  readonly probes: readonly DeliverEvent[]
  /** When everything was in order for long, in a world with webhooks that run on their own. */
  readonly quietAt: number | undefined
}

/** Checks all properties, once every fault has been over for long enough. */
export async function checkWebhooks(run: WebhooksRun): Promise<Failure[]> {
  return [
    ...run.watch.failures,
    ...(await acceptedRunsEnd(run)),
    ...everybodyIsAnswered(run),
    ...refusedForAReason(run),
    ...newestRuns(run),
    ...withinRates(run),
    ...withinTime(run),
    ...endedWhenFenced(run),
    ...worksAgain(run),
    ...retriesAreUsed(run),
    ...followersRunOnce(run),
    ...schedulesRunOnce(run),
    ...alertsRunOnce(run),
    ...(await nothingGrows(run)),
  ]
}

const webhookOf = ({ event }: Sent): SimulatedWebhook => {
  const found = webhooks.find(({ id }) => id === event.webhook)
  if (found === undefined) throw new Error(`the webhook ${event.webhook} does not exist`)
  return found
}

/** Every recorded run ends, with one record that agrees with the answer to its sender. */
async function acceptedRunsEnd({ watch, senders, storage }: WebhooksRun): Promise<Failure[]> {
  const failures: Failure[] = []
  const property = 'every accepted run ends'
  const records = await runCollection.find(storage, { by: 'id', limit: 1_000 })
  const stored = new Map(records.map(({ id, value }) => [id, value]))
  for (const { runId, status } of watch.runs.values()) {
    const record = stored.get(runId)
    if (record === undefined) failures.push({ property, detail: `${runId} has no record` })
    else if (!hasEnded(record)) failures.push({ property, detail: `${runId} is ${status}` })
  }
  for (const { answer, event } of senders.sent) {
    if (answer === undefined || !('runId' in answer)) continue
    const record = stored.get(answer.runId)
    const about = `${answer.runId} of ${event.webhook} was answered as ${answer.status}`
    // A reader sees a run of a server presumed dead as lost. The server may come back and record how the run ended.
    const mayDiffer = answer.status === 'lost' || !answer.isRecorded
    if (record === undefined) failures.push({ property, detail: `${about} and has no record` })
    else if (hasEnded(answer) && record.status !== answer.status && !mayDiffer) {
      const detail = `${about}, its record says ${record.status}`
      failures.push({ property: 'answers agree with records', detail })
    }
  }
  return failures
}

/** Every living process has answered. */
const everybodyIsAnswered = ({ senders }: WebhooksRun): Failure[] =>
  senders.sent
    .filter(({ answer, to }) => answer === undefined && !to.isDead)
    .map(({ event, at, to }) => ({
      property: 'every delivery is answered',
      detail: `${event.webhook} at ${at / 1_000} s is not, by ${to.machine.name}`,
    }))

const expectedRefusals = [
  'queue_full',
  'rate_limited',
  'overloaded',
  'storage_unavailable',
  'shutting_down',
]

/** Every refusal follows from the webhook's configuration. */
function refusedForAReason({ senders, watch, faults, closing }: WebhooksRun): Failure[] {
  const failures: Failure[] = []
  for (const one of senders.sent) {
    const { answer, at, event, to } = one
    if (answer === undefined || !('refused' in answer)) continue
    const webhook = webhookOf(one)
    const fail = (property: string, why: string): void => {
      const detail = `${event.webhook} at ${at / 1_000} s, by ${to.machine.name}: ${answer.refused}, ${why}`
      failures.push({ property, detail })
    }
    if (!expectedRefusals.includes(answer.refused))
      fail('refusals are known ones', 'which is unknown')
    const wasHindered = faults.some(
      ({ at: from, until }) => from <= answer.at && Math.max(from, until) >= at - 45_000,
    )
    if (answer.refused === 'shutting_down') {
      if (!closing.has(to)) fail('refusals have a cause', 'although it was not shutting down')
      continue
    }
    if (wasHindered) continue
    if (answer.refused === 'rate_limited') {
      if (webhook.rate === undefined) fail('refusals have a cause', 'without a rate')
    } else if (answer.refused !== 'queue_full') {
      fail('refusals have a cause', 'without a fault')
    } else if (webhook.on_busy === 'reject' && !wasBusy(watch, senders, one, answer.at)) {
      fail('on_busy is answered as specified', 'while no run has a place')
    } else if (webhook.on_busy === 'latest') {
      fail('on_busy is answered as specified', 'which never happens')
    } else if (webhook.on_busy === 'queue' && waitingAt(senders, one) < webhook.queue) {
      fail('on_busy is answered as specified', 'although the queue had room')
    }
  }
  return failures
}

/** A process keeps a place for this long after its last run, in ms. */
const placeStaysMs = 2_500

function wasBusy(
  { runs }: WebhooksWatch,
  senders: Senders,
  one: Sent,
  answeredAt: number,
): boolean {
  const { at, event } = one
  // A delivery that came just before has the place already, but may not be recorded yet.
  if (waitingAt(senders, one) > 0) return true
  return [...runs.values()].some(
    ({ webhook, openedAt, finalAt = answeredAt }) =>
      webhook === event.webhook && openedAt <= answeredAt && finalAt >= at - placeStaysMs,
  )
}

/** Other deliveries that the same process was handling at the time. */
function waitingAt({ sent }: Senders, one: Sent): number {
  const before = sent.filter(
    ({ event, to, at, answer }) =>
      event.webhook === one.event.webhook &&
      to === one.to &&
      at <= (one.answer?.at ?? one.at) &&
      (answer?.at ?? Number.POSITIVE_INFINITY) >= one.at,
  )
  return before.length - 1
}

/** Only an older run is superseded. */
function newestRuns({ watch }: WebhooksRun): Failure[] {
  const property = 'the newest run is not superseded'
  return webhooks.flatMap(({ id }) => {
    const newest = watch.runs.get(watch.latest(id).at(-1)?.runId ?? '')
    if (newest?.status !== 'superseded') return []
    return [{ property, detail: `${newest.runId} of ${id} is` }]
  })
}

/** A rate applies to all processes together. */
function withinRates({ watch, faults }: WebhooksRun): Failure[] {
  // A clock that jumps ahead refills every bucket.
  if (faults.some(({ what }) => what === 'clock')) return []
  return webhooks.flatMap(({ id, rate }) => {
    if (rate === undefined) return []
    const times = [...watch.runs.values()]
      .filter(({ webhook }) => webhook === id)
      .map(({ openedAt }) => openedAt)
    return times.flatMap((from, index) => {
      // With slow storage or a stopped process, a delivery may be recorded long after it took its token.
      if (faults.some(({ what }) => what !== 'killed')) return []
      for (let to = index; to < times.length; to++) {
        // Clocks may differ by five seconds, in which a bucket refills.
        const passedMs = (times[to] ?? from) - from + 5_000 + 1_000
        const most = rate.runs + Math.ceil((passedMs / rate.per) * rate.runs)
        const count = to - index + 1
        if (count <= most) continue
        const detail = `${count} runs of ${id} from ${from / 1_000} s on, of ${most}`
        return [{ property: 'rates hold for all processes together', detail }]
      }
      return []
    })
  })
}

/** A command whose server lives ends in time. */
function withinTime({ hosts, faults }: WebhooksRun): Failure[] {
  const most = timeoutMs + killGraceMs + 1_000
  return hosts.commands.flatMap(({ runId, by, startedAt, endedAt }) => {
    if (endedAt !== undefined && endedAt - startedAt <= most) return []
    const isExplained = faults.some(
      ({ machine, what, at, until }) =>
        machine === by.machine.name &&
        (what === 'killed' || what === 'paused') &&
        at <= startedAt + most &&
        until >= startedAt,
    )
    if (isExplained && endedAt !== undefined) return []
    const detail = `the command of ${runId} took from ${startedAt / 1_000} s to ${(endedAt ?? 0) / 1_000} s`
    return [{ property: 'commands end in time', detail }]
  })
}

/** A server that was presumed dead ends its commands when it learns of that, at its next heartbeat. */
function endedWhenFenced({ hosts, faults, watch }: WebhooksRun): Failure[] {
  const learnsWithinMs = 10_000 + killGraceMs + 1_000
  return hosts.commands.flatMap(({ runId, by, endedAt = Number.POSITIVE_INFINITY }) => {
    if (by.isDead || !watch.isLeft(runId)) return []
    const ends = faults
      .filter(({ machine, what }) => machine === by.machine.name && what !== 'clock')
      .map(({ at, until }) => Math.max(at, until))
    const since = Math.max(watch.goneAt(runId) ?? 0, ...ends)
    if (endedAt <= since + learnsWithinMs) return []
    const detail = `the command of ${runId} ends at ${endedAt / 1_000} s, its server could know since ${since / 1_000} s`
    return [{ property: 'a server presumed dead ends its commands', detail }]
  })
}

/** After the faults, a delivery to any process runs. */
function worksAgain({ senders, probes, watch }: WebhooksRun): Failure[] {
  return senders.sent
    .filter(({ event }) => probes.includes(event))
    .flatMap((one) => {
      const { answer, event, to } = one
      const isFine = answer !== undefined && 'runId' in answer
      const status = isFine ? watch.runs.get(answer.runId)?.status : undefined
      if (status === 'succeeded') return []
      const got = answer === undefined ? 'nothing' : JSON.stringify(answer)
      const detail = `${event.webhook} by ${to.machine.name}: ${got}, then ${status}`
      return [{ property: 'webhooks run again after the faults', detail }]
    })
}

/** A failed run was started as often as it may be, unless its server ended. */
function retriesAreUsed({ watch, closing }: WebhooksRun): Failure[] {
  const closed = new Set([...closing].map(({ machine }) => machine.name))
  return [...watch.runs.values()].flatMap(({ runId, webhook, status, attempts, machine }) => {
    const { retries = 0 } = webhooks.find(({ id }) => id === webhook) ?? {}
    if (status !== 'failed' || attempts === retries + 1 || closed.has(machine)) return []
    const detail = `${runId} of ${webhook} failed after ${attempts} starts of ${retries + 1}`
    return [{ property: 'failed runs are retried', detail }]
  })
}

/** Each run is followed by one run of each webhook that comes after it, whichever process recorded its end. */
function followersRunOnce({ watch, quietAt }: WebhooksRun): Failure[] {
  if (quietAt === undefined) return []
  const runs = [...watch.runs.values()]
  return webhooks.flatMap(({ id, own }) => {
    if (!followers.includes(id) || typeof own !== 'object' || !('after' in own)) return []
    return runs
      .filter(({ webhook }) => webhook === own.after)
      .flatMap(({ runId }) => {
        const after = runs.filter(
          ({ webhook, cause }) => webhook === id && cause?.type === 'run' && cause.run_id === runId,
        )
        if (after.length === 1) return []
        const detail = `${runId} is followed by ${after.length} runs of ${id}`
        return [{ property: 'runs are followed once', detail }]
      })
  })
}

/** A minute, and the longest time until a process notices it. */
const tickMs = 60_000 + 15_000

/** No time of a schedule makes two runs, and the schedule goes on after the faults. */
function schedulesRunOnce({ watch, quietAt, faults }: WebhooksRun): Failure[] {
  if (quietAt === undefined) return []
  const property = 'times of a schedule run once'
  const seen = new Set<number>()
  const failures: Failure[] = []
  let last = 0
  for (const { runId, webhook, cause, openedAt } of watch.runs.values()) {
    if (webhook !== scheduled || cause?.type !== 'schedule') continue
    if (seen.has(cause.at))
      failures.push({ property, detail: `${runId} is another at ${cause.at}` })
    seen.add(cause.at)
    last = Math.max(last, openedAt)
  }
  // A clock that was ahead has planned the next run for its own future.
  if (faults.some(({ what }) => what === 'clock') || last >= quietAt - tickMs) return failures
  const detail = `the last run of ${scheduled} is from ${last / 1_000} s, now it is ${quietAt / 1_000} s`
  return [...failures, { property, detail }]
}

/** A notification makes one run, however many processes send it, and the run that they were told of. */
function alertsRunOnce({ watch, alertRuns }: WebhooksRun): Failure[] {
  const runs = [...watch.runs.values()]
  return [...alertRuns.made].flatMap(([nth, ids]) => {
    const own = runs.filter(
      ({ cause }) => cause?.type === 'alert' && cause.group_hash === groupOf(nth),
    )
    const [only] = own
    if (own.length <= 1 && [...ids].every((id) => id === only?.runId)) return []
    const detail = `notification ${nth} made ${own.length} runs, and answers name ${[...ids]}`
    return [{ property: 'notifications run once', detail }]
  })
}

/** The most timers that an idle process may have. */
const maxTimers = 8

async function nothingGrows({
  storage,
  machines,
  services,
  watch,
}: WebhooksRun): Promise<Failure[]> {
  const failures: Failure[] = []
  const fail = (detail: string): void => void failures.push({ property: 'nothing grows', detail })
  const all = { by: 'id', limit: 1_000 } as const
  // Requests to cancel runs expire by themselves after ten minutes.
  for (const collection of [placeCollection, waitCollection, serverCollection]) {
    const left = await storage.find(collection, all)
    if (left.length > 0) fail(`${collection.name} holds ${left.length}: ${JSON.stringify(left[0])}`)
  }
  if ((await latestCollection.find(storage, all)).length > webhooks.length) {
    fail('newest runs are stored for unknown webhooks')
  }
  const due = await dueCollection.find(storage, all)
  if (due.some(({ value }) => value.schedule === undefined)) fail('runs are due at the end')
  for (const { value } of await keyCollection.find(storage, all)) {
    const { status, cause } = watch.runs.get(value.run_id) ?? {}
    // The same notification must not run it again, whatever became of the run.
    if (status !== 'succeeded' && cause?.type !== 'alert')
      fail(`the key of ${value.run_id} is kept, although the run is ${status}`)
  }
  for (const { name, timers } of machines) {
    if (timers > maxTimers) fail(`${name} has ${timers} timers at the end`)
  }
  for (const { life, service } of services) {
    if (service.work.board.size > 0) fail(`${life.machine.name} has runs at the end`)
  }
  return failures
}
