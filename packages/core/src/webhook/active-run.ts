import type { WebhooksContext } from './context.ts'
import { executeCommand } from './execute-command.ts'
import { createLiveOutput, type LiveOutput } from './live-output.ts'
import { logText } from './log-text.ts'
import type { PreparedCommand } from './prepare-command.ts'
import { hasEnded, type Run } from './run.ts'
import type { ActiveRun } from './run-board.ts'
import type { RunEntry } from './run-journal.ts'
import { logRunEnd } from './run-log.ts'
import {
  type CommandOutcome,
  type EndCause,
  endedRun,
  queuedRun,
  type RunFacts,
  runningRun,
} from './run-progress.ts'
import { noOutputs, outputFieldsOf, type RunOutputs } from './run-record.ts'
import type { SupervisedCommand } from './supervise-command.ts'
import type { Webhook } from './webhook.ts'

/** What a run is made of. */
export interface ActiveRunOptions {
  readonly webhook: Webhook
  readonly facts: RunFacts
  readonly prepared: PreparedCommand
  /** Called once nothing is held any more of the request it is made of. */
  readonly release: () => void
}

/** An {@link ActiveRun} that is yet to be accepted. */
export interface NewRun extends ActiveRun {
  /** It is recorded as it stood at that moment: from now on it may begin, and end. */
  accept(entry: RunEntry, recorded: Run): void
  /** It could not be recorded, and is no run. */
  discard(): void
}

/** A run that has waited is recorded as running only after this time: most are over by then, and spare a commit. */
const recordedAfterMs = 100

/** A run of this process, from its coming to its end. */
export function createActiveRun(hooks: WebhooksContext, options: ActiveRunOptions): NewRun {
  const { clock, events, logger, config, work } = hooks
  const { webhook, facts } = options
  const { run_id } = facts
  /** Thousands may wait, of which nothing is to be read yet. */
  let liveOutput: LiveOutput | undefined
  const output = (): LiveOutput => {
    liveOutput ??= createLiveOutput({
      limit: webhook.output_bytes,
      keep: webhook.output_keep,
      waits: webhook.mode === 'stream',
      onFailure(error) {
        logger.warn({ run_id, error: logText(String(error)) }, 'a reader of its output failed')
      },
    })
    return liveOutput
  }
  const started = deferred()
  const ended = deferred()
  let run = queuedRun(facts)
  /** Of the request, until the command was given it. */
  let held: Pick<ActiveRunOptions, 'prepared' | 'release'> | undefined = options
  let entry: RunEntry | undefined
  /** What shall end it, while it is not accepted yet. */
  let earlyCause: EndCause | undefined
  let command: SupervisedCommand | undefined
  let isOver = false
  let cancelUpdate = (): void => {}

  const snapshot = (): Run =>
    command === undefined || hasEnded(run) ? run : { ...run, ...outputFieldsOf(output().outputs()) }

  const letGo = (): void => {
    held?.release()
    held = undefined
  }

  /** Its place is free at once, whatever becomes of its record. */
  const finish = async (outcome: CommandOutcome, outputs: RunOutputs): Promise<void> => {
    isOver = true
    cancelUpdate()
    letGo()
    const last = endedRun(run, outcome, outputs, clock.now())
    output().end(outputs)
    if (last.duration_ms !== null) work.durations.note(webhook, last.duration_ms)
    work.board.leave(run_id)
    const recording = entry?.end(recordOf(last, outputs, config.current.history.output_bytes))
    void recording?.done.then(() => work.board.remove(run_id))
    await recording?.tried
    run = last
    hooks.counters.runEnded(last)
    logRunEnd(logger, last)
    started.resolve(last)
    ended.resolve(last)
    events.emit('run.finished', () => last)
    work.history.noteEnded(run_id)
  }

  const begin = async (prepared: PreparedCommand): Promise<void> => {
    command = executeCommand(hooks, {
      runId: run_id,
      webhook,
      prepared,
      onOutput: output().add,
      onGiven: letGo,
    })
    if (await command.started) {
      run = { ...run, started_at: clock.now() }
      started.resolve(snapshot())
      events.emit('run.started', snapshot)
    }
    const outcome = await command.outcome
    const outputs =
      outcome.kind === 'ended'
        ? { ...outcome.result, keep: webhook.output_keep }
        : output().outputs()
    await finish(outcome, outputs)
  }

  const end: ActiveRun['end'] = (cause, graceMs) => {
    if (isOver) return
    if (command !== undefined) command.end(cause, graceMs)
    else if (entry === undefined) earlyCause ??= cause
    else void finish({ kind: 'dropped', cause }, noOutputs)
  }

  const noteRunning = (): void => {
    cancelUpdate = clock.setTimer(recordedAfterMs, () => entry?.update(run))
  }

  return {
    run_id,
    webhook,
    snapshot,
    started: started.promise,
    ended: ended.promise,
    follow: (listener) => output().follow(listener),
    cancel: (reason) => end(reason),
    end,

    grant() {
      run = runningRun(run, clock.now())
      if (entry === undefined || held === undefined) return
      noteRunning()
      void begin(held.prepared)
    },

    discard() {
      isOver = true
      ended.resolve(run)
    },

    accept(given, recorded) {
      entry = given
      const problem = held?.prepared.problem
      if (earlyCause !== undefined) return end(earlyCause)
      if (problem !== undefined) {
        logger.warn({ run_id, webhook: webhook.id, problem }, 'the command cannot be started')
        void finish({ kind: 'not_started' }, noOutputs)
      } else if (run.status === 'running' && held !== undefined) {
        if (recorded.status === 'queued') noteRunning()
        void begin(held.prepared)
      }
    },
  }
}

/** What the history keeps of a run: less of its output, perhaps. */
function recordOf(run: Run, outputs: RunOutputs, limit: number): Run {
  const { stdout, stderr } = outputs
  const isSmall = stdout.bytes.length <= limit && stderr.bytes.length <= limit
  return isSmall ? run : { ...run, ...outputFieldsOf(outputs, limit) }
}

function deferred(): { readonly promise: Promise<Run>; readonly resolve: (run: Run) => void } {
  let resolve: (run: Run) => void = () => {}
  const promise = new Promise<Run>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
