import type { Entrant } from '../board/lanes.ts'
import type { ActiveRun } from '../board/run-board.ts'
import type { FollowOutput } from '../board/run-handle.ts'
import {
  type CommandOutcome,
  type EndCause,
  endedRun,
  queuedRun,
  type RunFacts,
  runningRun,
} from '../board/run-progress.ts'
import type { WebhooksContext } from '../context.ts'
import { logText } from '../log-text.ts'
import { laneKey, latestCollection } from '../records/place-records.ts'
import type { RunEntry } from '../records/run-journal.ts'
import {
  noOutputs,
  outputFieldsOf,
  type RunOutputs,
  type StoredRun,
  toRun,
  toRunRecords,
} from '../records/run-record.ts'
import type { Delivery } from '../request/delivery.ts'
import { hasEnded, type Run } from '../run.ts'
import type { CommandResult } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'
import { executeCommand } from './execute-command.ts'
import { createLiveOutput, type LiveOutput } from './live-output.ts'
import type { PreparedCommand } from './prepare-command.ts'
import { bytesBeside } from './read-outputs.ts'
import { retryDelay } from './retry-delay.ts'
import { logRunEnd } from './run-log.ts'
import type { SupervisedCommand } from './supervise-command.ts'

/** The parts of a run. */
export interface ActiveRunOptions {
  /** Identifies the run in the admission. */
  readonly entrant: Entrant
  readonly webhook: Webhook
  readonly facts: RunFacts
  readonly prepared: PreparedCommand
  /** Released once the run no longer holds the request. */
  readonly hold: Delivery['hold']
}

/** An {@link ActiveRun} that was not accepted yet. */
export interface NewRun extends ActiveRun {
  /** The run was recorded in this state. From now on it may start and end. */
  accept(entry: RunEntry, recorded: Run): void
  /** Takes the place back: other processes have all places. */
  revoke(): void
  /** The run could not be recorded, so it does not exist. */
  discard(): void
}

/** A run that has waited is recorded as running only after this time. Most runs end earlier, which saves a commit. */
const recordedAfterMs = 100
/** How long to wait for the storage before a command is started again. */
const confirmAgainMs = 1_000

/** Creates a run of this process. */
export function createActiveRun(webhooks: WebhooksContext, options: ActiveRunOptions): NewRun {
  return new LocalRun(webhooks, options)
}

/** Thousands may wait. A class, because an object literal would create its functions for each. */
class LocalRun implements NewRun {
  readonly run_id: string
  readonly webhook: Webhook
  readonly #webhooks: WebhooksContext
  /** The only facts kept while it waits. */
  readonly #facts: RunFacts
  /** Set once it has a place. */
  #run: Run | undefined = undefined
  /** Set when it is over, if the record contains everything: a memory store keeps the record anyway. */
  #record: StoredRun | undefined = undefined
  /** Promises are created on demand: those of thousands of waiting runs are not needed. */
  #started: Deferred | undefined = undefined
  #ended: Deferred | undefined = undefined
  #hasStarted = false
  #isSettled = false
  readonly #entrant: Entrant
  readonly #hold: ActiveRunOptions['hold']
  /** Set until the command has it. */
  #prepared: PreparedCommand | undefined
  #entry: RunEntry | undefined = undefined
  /** A cause to end it that came before it was accepted. */
  #earlyCause: EndCause | undefined = undefined
  #command: SupervisedCommand | undefined = undefined
  #liveOutput: LiveOutput | undefined = undefined
  /** Set when it is over. */
  #lastOutputs: RunOutputs | undefined = undefined
  #isOver = false
  #mayRetry = true
  #cancelUpdate: (() => void) | undefined = undefined
  /** Set while it waits for the next start of its command: ends the wait. */
  #endPause: ((cause: EndCause | undefined) => void) | undefined = undefined

  constructor(
    webhooks: WebhooksContext,
    { webhook, facts, prepared, hold, entrant }: ActiveRunOptions,
  ) {
    this.run_id = facts.id
    this.webhook = webhook
    this.#webhooks = webhooks
    this.#facts = facts
    this.#entrant = entrant
    this.#hold = hold
    this.#prepared = prepared
  }

  get started(): Promise<Run> {
    if (this.#hasStarted || this.#isSettled) return Promise.resolve(this.snapshot())
    this.#started ??= deferred()
    return this.#started.promise
  }

  get ended(): Promise<Run> {
    if (this.#isSettled) return Promise.resolve(this.#current())
    this.#ended ??= deferred()
    return this.#ended.promise
  }

  snapshot(): Run {
    const run = this.#current()
    const outputs = this.#lastOutputs ?? this.#liveOutput?.outputs()
    return outputs === undefined || hasEnded(run) ? run : { ...run, ...outputFieldsOf(outputs) }
  }

  outputs(): RunOutputs {
    return this.#lastOutputs ?? this.#liveOutput?.outputs() ?? noOutputs
  }

  follow(listener: FollowOutput): ReturnType<ActiveRun['follow']> {
    return this.#output().follow(listener)
  }

  cancel(reason: 'canceled' | 'disconnect' | 'shutdown'): void {
    this.end(reason)
  }

  end(cause: EndCause, graceMs?: number): void {
    if (this.#isOver) return
    if (this.#endPause !== undefined) this.#endPause(cause)
    else if (this.#command !== undefined) this.#endCommand(this.#command, cause, graceMs)
    else if (this.#entry === undefined) this.#earlyCause ??= cause
    else void this.#finish({ kind: 'dropped', cause }, noOutputs)
  }

  #endCommand(command: SupervisedCommand, cause: EndCause, graceMs: number | undefined): void {
    // The command may have ended a moment ago.
    this.#mayRetry = false
    command.end(cause, graceMs)
  }

  stopRetrying(): void {
    this.#endPause?.(undefined)
  }

  grant(): void {
    this.#run = runningRun(this.#current(), this.#webhooks.clock.now())
    if (this.#entry === undefined || this.#prepared === undefined) return
    this.#noteRunning(this.#entry)
    if (this.webhook.on_busy === 'latest') void this.#beginUnlessSuperseded(this.#prepared)
    else void this.#begin(this.#prepared)
  }

  /** A newer run may have arrived at another process while this one waited. */
  async #beginUnlessSuperseded(prepared: PreparedCommand): Promise<void> {
    const { work, storage, logger } = this.#webhooks
    try {
      const latest = await latestCollection.get(storage, laneKey(this.webhook.id))
      const newest = latest?.value.run_id ?? this.run_id
      if (newest !== this.run_id) this.#earlyCause ??= 'superseded'
    } catch (error) {
      logger.warn({ run_id: this.run_id, error: String(error) }, 'newer runs could not be read')
    }
    if (this.#isOver || work.board.find(this.run_id) === undefined) return
    if (this.#earlyCause === undefined) await this.#begin(prepared)
    else await this.#finish({ kind: 'dropped', cause: this.#earlyCause }, noOutputs)
  }

  revoke(): void {
    this.#run = undefined
  }

  discard(): void {
    this.#isOver = true
    this.#isSettled = true
    this.#ended?.resolve(this.#current())
  }

  accept(entry: RunEntry, recorded: Run): void {
    this.#entry = entry
    const prepared = this.#prepared
    if (this.#earlyCause !== undefined) {
      this.end(this.#earlyCause)
    } else if (prepared?.problem !== undefined) {
      const about = { run_id: this.run_id, webhook: this.webhook.id, problem: prepared.problem }
      this.#webhooks.logger.warn(about, 'the command cannot be started')
      void this.#finish({ kind: 'not_started', problem: prepared.problem }, noOutputs)
    } else if (this.#run !== undefined && prepared !== undefined) {
      if (recorded.status === 'queued') this.#noteRunning(entry)
      void this.#begin(prepared)
    }
  }

  #current(): Run {
    if (this.#record !== undefined) return toRun(this.#record)
    return this.#run ?? queuedRun(this.#facts)
  }

  /** Created on demand, because most commands write nothing. */
  #output(): LiveOutput {
    if (this.#liveOutput !== undefined) return this.#liveOutput
    const { webhook, run_id } = this
    const { logger } = this.#webhooks
    const output = createLiveOutput({
      limit: webhook.output_bytes,
      keep: webhook.output_keep,
      waits: webhook.mode === 'stream',
      onFailure(error) {
        logger.warn({ run_id, error: logText(String(error)) }, 'a reader of the output failed')
      },
    })
    if (this.#lastOutputs !== undefined) output.end(this.#lastOutputs)
    this.#liveOutput = output
    return output
  }

  /**
   * Clears references: a run that has waited is in the old generation, which would keep everything it refers to until the next
   * major collection; see docs/decisions/046.
   */
  #drop(outputs: RunOutputs): void {
    this.#cancelUpdate?.()
    this.#cancelUpdate = undefined
    this.#command = undefined
    this.#liveOutput?.end(outputs)
    this.#liveOutput = undefined
    const isEmpty = outputs.stdout.total === 0 && outputs.stderr.total === 0
    this.#lastOutputs = isEmpty ? noOutputs : outputs
  }

  #noteRunning(entry: RunEntry): void {
    const note = (): void => entry.update(this.#current())
    this.#cancelUpdate = this.#webhooks.clock.setTimer(recordedAfterMs, note)
  }

  #letGo(): void {
    if (this.#prepared === undefined) return
    this.#prepared = undefined
    this.#hold.release()
  }

  async #begin(prepared: PreparedCommand): Promise<void> {
    const { webhook } = this
    const command = this.#start(prepared)
    await this.#noteStart(command)
    let outcome = await command.outcome
    for (;;) {
      const waitMs = retryDelay(webhook.retries, this.#current().attempts, outcome)
      if (waitMs === undefined) break
      const paused = await this.#pause(waitMs)
      if (paused !== 'over') {
        if (paused !== undefined) outcome = { ...outcome, cause: paused } as CommandOutcome
        break
      }
      const next = await this.#startAgain(prepared).outcome
      // What is known of the run is how its command ended the last time.
      if (next.kind === 'not_started' || next.kind === 'dropped') break
      outcome = next
    }
    const outputs =
      outcome.kind === 'ended' ? outputsOf(outcome.result, webhook) : this.#output().outputs()
    await this.#finish(outcome, outputs)
  }

  #start(prepared: PreparedCommand): SupervisedCommand {
    const { webhook } = this
    const command = executeCommand(this.#webhooks, {
      runId: this.run_id,
      webhook,
      prepared,
      onOutput: (stream, chunk) => this.#output().add(stream, chunk),
      onGiven: () => {
        if (webhook.retries === undefined) this.#letGo()
      },
    })
    this.#command = command
    return command
  }

  #startAgain(prepared: PreparedCommand): SupervisedCommand {
    const run = this.#current()
    const attempts = run.attempts + 1
    this.#run = { ...run, attempts }
    this.#cancelUpdate?.()
    this.#entry?.update(this.#run)
    const { command } = prepared
    const env = { ...command.env, GATEHOUSE_ATTEMPT: String(attempts) }
    return this.#start({ ...prepared, command: { ...command, env } })
  }

  /**
   * Keeps the place while the run waits for the next start of its command. The command starts only if no other process can have
   * declared this one dead meanwhile.
   *
   * @returns `over` if it may start; otherwise the cause that ends the run, or `undefined` if it ends as its command did.
   */
  async #pause(ms: number): Promise<EndCause | 'over' | undefined> {
    const { clock, work } = this.#webhooks
    this.#command = undefined
    if (this.#isOver || !this.#mayRetry || work.board.isStopping) return undefined
    let cancelTimer = (): void => {}
    const ended = new Promise<EndCause | undefined>((resolve) => {
      this.#endPause = resolve
    })
    let waitMs = ms
    try {
      for (;;) {
        const over = new Promise<'over'>((resolve) => {
          cancelTimer = clock.setTimer(waitMs, () => resolve('over'))
        })
        const result = await Promise.race([over, ended])
        if (result !== 'over' || work.heartbeat.isSure()) return result
        const confirmed = work.heartbeat.confirm().then(
          () => 'over' as const,
          () => 'unknown' as const,
        )
        const shown = await Promise.race([ended, confirmed])
        if (shown !== 'unknown' && shown !== 'over') return shown
        waitMs = shown === 'over' ? 0 : confirmAgainMs
      }
    } finally {
      cancelTimer()
      this.#endPause = undefined
    }
  }

  async #noteStart(command: SupervisedCommand): Promise<void> {
    const { clock, events } = this.#webhooks
    if (await command.started) {
      const startedAt = clock.now()
      const run = this.#current()
      if (run.started_at !== startedAt) this.#run = { ...run, started_at: startedAt }
      this.#hasStarted = true
      this.#started?.resolve(this.snapshot())
      events.emit('run.started', () => this.snapshot())
    }
  }

  /** Frees the place at once, whatever happens to the record. */
  async #finish(outcome: CommandOutcome, outputs: RunOutputs): Promise<void> {
    const { webhook, run_id } = this
    const { clock, config, counters, events, logger, work } = this.#webhooks
    this.#isOver = true
    this.#letGo()
    const ended = endedRun(this.#current(), outcome, outputs, clock.now())
    this.#drop(outputs)
    if (ended.duration_ms !== null) work.durations.note(webhook, ended.duration_ms)
    work.board.leave(this.#entrant)
    const limit = config.current.history.output_bytes
    const kept = keptOf(ended, outputs, limit)
    const records = toRunRecords(kept, {}, bytesBeside(kept, outputs, limit))
    const stored = await this.#entry?.end(records, () => work.board.remove(run_id))
    const last = stored === records.run ? ended : otherEnd(ended, stored)
    counters.runEnded(last)
    work.outputLog.end(run_id, () => logRunEnd(logger, last))
    const saysAll = kept === last && records.output === undefined
    this.#record = saysAll ? records.run : undefined
    this.#run = saysAll ? undefined : last
    this.#isSettled = true
    this.#started?.resolve(last)
    this.#ended?.resolve(last)
    this.#entry = undefined
    events.emit('run.finished', () => last)
    work.history.noteEnded(webhook.id, run_id)
  }
}

function outputsOf({ stdout, stderr }: CommandResult, { output_keep: keep }: Webhook): RunOutputs {
  return { stdout, stderr, keep }
}

/** The end of a run as its sender learns it if it is not recorded, or if another process recorded a different one. */
const otherEnd = (ended: Run, stored: StoredRun | undefined): Run =>
  stored === undefined ? { ...ended, recorded: false } : toRun(stored)

/** Cuts the output of a run to the limit of the history. */
function keptOf(run: Run, outputs: RunOutputs, limit: number): Run {
  const { stdout, stderr } = outputs
  const isSmall = stdout.bytes.length <= limit && stderr.bytes.length <= limit
  return isSmall ? run : { ...run, ...outputFieldsOf(outputs, limit) }
}

interface Deferred {
  readonly promise: Promise<Run>
  readonly resolve: (run: Run) => void
}

function deferred(): Deferred {
  let resolve: (run: Run) => void = () => {}
  const promise = new Promise<Run>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
