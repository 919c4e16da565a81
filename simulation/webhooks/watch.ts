import type { RunCause, RunStatus } from '@gatehouse/core/webhook'
import {
  laneKey,
  latestCollection,
  placeCollection,
} from '../../packages/core/src/webhook/records/place-records.ts'
import {
  runCollection,
  type StoredRun,
} from '../../packages/core/src/webhook/records/run-record.ts'
import { serverCollection } from '../../packages/core/src/webhook/records/server-record.ts'
import { hasEnded } from '../../packages/core/src/webhook/run.ts'
import type { Struck } from '../cluster.ts'
import type { Life, Machine } from '../machine.ts'
import type { Failure } from '../run.ts'
import type { SharedStorage } from '../storage.ts'
import type { Timeline } from '../timeline.ts'
import { webhooks } from './config.ts'
import type { HostCommand, Hosts } from './hosts.ts'

/** A run and its recorded changes. */
export interface SeenRun {
  readonly runId: string
  readonly webhook: string
  readonly dedupe: string | undefined
  readonly cause: RunCause | undefined
  /** How often its command was started, as recorded last. */
  attempts: number
  /** The process that recorded it, by the id of its heartbeat. */
  readonly server: string
  /** The machine of that process. */
  readonly machine: string
  readonly openedAt: number
  /** Whether it had to wait for a place. */
  readonly hasWaited: boolean
  status: RunStatus
  finalAt: number | undefined
}

/** A server, as its heartbeat describes it. */
interface SeenServer {
  readonly machine: string
  readonly host: string
  readonly pid: number
  /** The host of the process that presumed it dead. */
  goneFor: string | undefined
  goneAt: number
}

/** How many places of a webhook are taken, from an instant on. */
export interface TakenPlaces {
  readonly at: number
  readonly count: number
}

/** The newest run of a webhook, from an instant on. */
export interface NewestRun {
  readonly at: number
  readonly runId: string
}

/** The observations that the properties of the webhooks world are checked against. */
export interface WebhooksWatch {
  /** In the order of their records. */
  readonly runs: ReadonlyMap<string, SeenRun>
  /** Failures found during the run. */
  readonly failures: readonly Failure[]
  takenPlaces(webhook: string): readonly TakenPlaces[]
  /** The newest runs of a webhook, in the order in which the storage recorded them. */
  latest(webhook: string): readonly NewestRun[]
  /** Whether a process on another machine presumed the run's server dead; it cannot end the commands there. */
  isLeft(runId: string): boolean
  /** When another process presumed the run's server dead. */
  goneAt(runId: string): number | undefined
  started(command: HostCommand): void
  /** Called when a process has ended in good order. */
  closed(life: Life): void
  /** Called when every process loads a configuration. */
  loaded(config: 0 | 1): void
}

/** A server that was cut off, stopped or killed within this time may be presumed dead. */
const goneAfterMs = 75_000
/** The faults that keep a server from writing heartbeats. */
const silencing = ['killed', 'paused', 'away', 'unanswered', 'read-only', 'slow']

const isSuccess = ({ exitCode, signal }: HostCommand): boolean => exitCode === 0 && signal === null

/** Observes the webhooks of a run. */
export function watchWebhooks({
  timeline,
  storage,
  hosts,
  faults,
  tell,
}: {
  timeline: Timeline
  storage: SharedStorage
  hosts: () => Hosts
  faults: readonly Struck[]
  tell: (text: string) => void
}): WebhooksWatch {
  const runs = new Map<string, SeenRun>()
  const servers = new Map<string, SeenServer>()
  const holders = new Map<string, Map<string, string>>()
  const taken = new Map<string, TakenPlaces[]>()
  const latest = new Map<string, NewestRun[]>()
  const loads: { readonly at: number; readonly config: 0 | 1 }[] = [{ at: 0, config: 0 }]
  const failures: Failure[] = []
  const fail = (property: string, detail: string): void => {
    failures.push({ property, detail: `at ${timeline.now / 1_000} s ${detail}` })
  }

  /** @param forMs how long ago the fault must have begun. */
  const wasSilenced = (machine: string, forMs = 0): boolean =>
    faults.some(
      (fault) =>
        fault.machine === machine &&
        silencing.includes(fault.what) &&
        fault.at <= timeline.now - forMs &&
        Math.max(fault.until, fault.at) >= timeline.now - goneAfterMs,
    )

  const isLeft = (runId: string): boolean => {
    const run = runs.get(runId)
    const server = run && servers.get(run.server)
    if (run === undefined || server?.goneFor === undefined) return false
    return server.goneFor !== server.host && run.openedAt <= server.goneAt
  }

  const commandOf = (runId: string): HostCommand | undefined =>
    hosts().commands.findLast((one) => one.runId === runId)

  const sign = (id: string, value: { pid: number } | undefined, by: Machine): void => {
    if (value !== undefined) {
      const life = hosts().lifeOf(value.pid)
      if (life === undefined || servers.has(id)) return
      const host = hosts().hostOf(life.machine)
      servers.set(id, {
        machine: life.machine.name,
        host,
        pid: value.pid,
        goneFor: undefined,
        goneAt: 0,
      })
      return
    }
    const server = servers.get(id)
    if (server === undefined) return
    const isItself = server.machine === by.name && hosts().lifeOf(server.pid) === by.life
    const isDead = hosts().lifeOf(server.pid)?.isDead ?? true
    if (isItself || (server.machine === by.name && !isDead)) return
    server.goneFor = hosts().hostOf(by)
    server.goneAt = timeline.now
    const about = `${by.name} presumes ${server.machine} dead`
    tell(about)
    if (!wasSilenced(server.machine)) fail('no process is presumed dead without a fault', about)
    if (server.goneFor === server.host && !isDead) {
      fail('no process is presumed dead by a process that sees it', about)
    }
  }

  const record = (id: string, value: StoredRun | undefined, by: Machine): void => {
    const known = runs.get(id)
    if (value === undefined) return
    if (known === undefined) {
      const run: SeenRun = {
        runId: id,
        webhook: value.webhook,
        dedupe: value.dedupe,
        cause: value.cause,
        attempts: value.attempts,
        server: value.server ?? '',
        machine: by.name,
        openedAt: timeline.now,
        hasWaited: value.status === 'queued',
        status: value.status,
        finalAt: undefined,
      }
      ofOneKey(run, by)
      runs.set(id, run)
      return
    }
    if (known.finalAt !== undefined) {
      if (known.status !== value.status) {
        fail('a run ends once', `${id} becomes ${value.status} after ${known.status}`)
      }
      return
    }
    known.status = value.status
    known.attempts = value.attempts
    if (hasEnded(value)) end(known, value, by)
  }

  /** Whether a process may presume a run lost before that is recorded: its server is dead, or was silent for long. */
  const mayBeLost = ({ runId, server, machine }: SeenRun, by: Machine): boolean => {
    const seen = servers.get(server)
    if (seen?.goneFor !== undefined) return true
    if (seen?.host === hosts().hostOf(by)) {
      const isDead = hosts().lifeOf(seen.pid)?.isDead ?? true
      return isDead && commandOf(runId)?.endedAt !== undefined
    }
    // The last heartbeat was up to ten seconds before the fault.
    return wasSilenced(machine, 20_000)
  }

  const ofOneKey = ({ runId, dedupe }: SeenRun, by: Machine): void => {
    if (dedupe === undefined) return
    for (const other of runs.values()) {
      if (other.dedupe !== dedupe) continue
      const isFree = other.finalAt !== undefined && other.status !== 'succeeded'
      const command = commandOf(other.runId)
      // Its process knows that it failed, but cannot record that yet.
      const hasFailed = command?.endedAt !== undefined && !isSuccess(command)
      // Nor can the process record that the run ended before its command started.
      const mayHaveEnded = command === undefined && wasSilenced(other.machine)
      // A command that got a signal did not succeed, nor did one that was past its timeout when its stopped server continued.
      const wasStopped = faults.some(
        (one) => one.machine === other.machine && one.what === 'paused',
      )
      const mayBeTimedOut = command?.endedAt !== undefined && (command.wasSignalled || wasStopped)
      if (isFree || hasFailed || mayHaveEnded || mayBeTimedOut) continue
      if (mayBeLost(other, by)) continue
      fail(
        'a key starts a command once',
        `${runId} has the key of ${other.runId} (${other.status})`,
      )
    }
  }

  const end = (run: SeenRun, value: StoredRun, by: Machine): void => {
    run.finalAt = timeline.now
    if (by.name !== run.machine) tell(`${by.name}: records ${run.runId} as ${value.status}`)
    const command = commandOf(run.runId)
    const isRunning = command !== undefined && command.endedAt === undefined
    if (value.status === 'lost') {
      if (!wasSilenced(run.machine)) {
        fail('no run is lost without a fault', `${by.name} records ${run.runId} as lost`)
      }
      if (isRunning && command.host === hosts().hostOf(by)) {
        fail('no run is lost while its command runs', `${by.name} records ${run.runId} as lost`)
      }
      return
    }
    const about = `${run.runId} is ${value.status}`
    if (isRunning) fail('no run is both running and final', about)
    if (command === undefined || isRunning) {
      const needsCommand = ['succeeded', 'failed', 'timed_out'].includes(value.status)
      if (needsCommand && !isRunning) fail('the record agrees with the command', about)
      return
    }
    const { exitCode, signal } = command
    // A command may have ended by itself before its signal.
    const expected = ['timed_out', 'canceled']
    if (signal === null) expected.push(exitCode === 0 ? 'succeeded' : 'failed')
    if (!expected.includes(value.status)) {
      fail(
        'the record agrees with the command',
        `${about}, its command ended ${signal ?? exitCode}`,
      )
    }
  }

  const place = (id: string, server: string | undefined): void => {
    const key = id.slice(0, id.lastIndexOf('.'))
    const held = holders.get(key) ?? new Map<string, string>()
    holders.set(key, held)
    if (server === undefined) held.delete(id)
    else held.set(id, server)
    const over = taken.get(key) ?? []
    taken.set(key, over)
    over.push({ at: timeline.now, count: held.size })
  }

  storage.onCommit((writes, by) => {
    for (const write of writes) {
      if ('check' in write) continue
      const { id, collection } = write
      const value: unknown = write.value
      if (collection.name === serverCollection.name) sign(id, value as { pid: number }, by)
      else if (collection.name === runCollection.name) record(id, value as StoredRun, by)
      else if (collection.name === placeCollection.name) {
        place(id, (value as { server: string } | undefined)?.server)
      } else if (collection.name === latestCollection.name) {
        const { run_id: runId } = value as { run_id: string }
        latest.set(id, [...(latest.get(id) ?? []), { at: timeline.now, runId }])
      }
    }
  })

  return {
    runs,
    failures,
    takenPlaces: (webhook) => taken.get(laneKey(webhook)) ?? [],
    latest: (webhook) => latest.get(laneKey(webhook)) ?? [],
    isLeft,
    goneAt: (runId) => servers.get(runs.get(runId)?.server ?? '')?.goneAt,
    loaded: (config) => void loads.push({ at: timeline.now, config }),

    closed(life) {
      const left = hosts()
        .running()
        .filter(({ by }) => by === life)
      for (const { runId } of left) {
        fail('a server that ends leaves no command', `${runId} of ${life.machine.name} still runs`)
      }
    },

    started(command) {
      const { runId, webhook } = command
      const run = runs.get(runId)
      const before = hosts().commands.filter((one) => one !== command && one.runId === runId)
      const { retries = 0 } = webhooks.find(({ id }) => id === webhook) ?? {}
      if (before.length > retries || before.some(({ endedAt }) => endedAt === undefined)) {
        fail('a run has one command at a time', `${runId} starts another after ${before.length}`)
      }
      if (run === undefined) {
        fail('a command has a run', `${runId} was never recorded`)
        return
      }
      if (run.finalAt !== undefined && !isLeft(runId)) {
        fail('no run is both running and final', `${runId} starts, although it is ${run.status}`)
      }
      withinConcurrency(webhook)
      ofTheNewest(command, run)
    },
  }

  /** The concurrency limit of a run's webhook: the highest of all configurations it may have been accepted under. */
  function concurrencyOf(run: SeenRun | undefined): number {
    const { concurrency } = webhooks.find(({ id }) => id === run?.webhook) ?? {}
    if (run === undefined || concurrency === undefined) return 0
    // A delivery may have arrived long before its run was recorded.
    const acceptedAt = run.openedAt - (wasHindered(run.machine, run.openedAt) ? goneAfterMs : 1_500)
    const known = loads.filter(({ at }, nth) => {
      const until = loads[nth + 1]?.at ?? Number.POSITIVE_INFINITY
      return at <= run.openedAt && until >= acceptedAt
    })
    const limits = known.map(({ config }) => concurrency[config] || Number.POSITIVE_INFINITY)
    return Math.max(...limits)
  }

  function wasHindered(on: string, time: number): boolean {
    return faults.some(
      ({ machine, at, until, what }) =>
        machine === on && what !== 'clock' && at <= time && Math.max(at, until) >= time - 15_000,
    )
  }

  function withinConcurrency(webhook: string): void {
    // Two runs may overlap after a server on another machine was cut off for so long that it was presumed dead.
    const running = hosts()
      .running()
      .filter((one) => one.webhook === webhook && !isLeft(one.runId))
    const most = Math.max(...running.map(({ runId }) => concurrencyOf(runs.get(runId))))
    if (running.length === 0 || running.length <= most) return
    const names = running.map(({ runId, by }) => `${runId} of ${by.machine.name}`)
    fail('concurrency holds for all processes together', `${webhook} runs ${names.join(' and ')}`)
  }

  /** With `on_busy: latest`, a run that has waited starts only if its server can see no newer one. */
  function ofTheNewest(command: HostCommand, run: SeenRun): void {
    const { on_busy } = webhooks.find(({ id }) => id === run.webhook) ?? {}
    if (on_busy !== 'latest' || !run.hasWaited) return
    if (wasHindered(run.machine, timeline.now)) return
    const newest = latest.get(laneKey(run.webhook)) ?? []
    const own = newest.findLastIndex(({ runId }) => runId === run.runId)
    const newer = newest[own + 1]
    if (newer === undefined || newer.at >= command.startedAt - 1_000) return
    fail('the newest run supersedes waiting runs', `${run.runId} starts after ${newer.runId} came`)
  }
}
