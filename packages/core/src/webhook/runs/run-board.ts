import { createPassingMap } from '../../async/passing-map.ts'
import type { WebhookLimits } from '../webhook.ts'
import { type Admission, createAdmission, type Entrant } from './admission.ts'
import type { Places } from './places.ts'
import type { RunHandle } from './run-handle.ts'
import type { EndCause } from './run-progress.ts'

/** A run that this process is at work on. */
export interface ActiveRun extends RunHandle {
  /** It was given a place: its command may start. */
  grant(): void
  /** Ends it for a cause; see {@link SupervisedCommand.end}. One that waits ends at once. */
  end(cause: EndCause, graceMs?: number): void
}

/** The runs of this process. */
export interface RunBoard {
  readonly admission: Admission
  /** The run of this process that came last, by the ids of webhooks whose newer runs supersede others. */
  readonly newest: Map<string, string>
  find(runId: string): ActiveRun | undefined
  all(): readonly ActiveRun[]
  readonly size: number
  add(run: ActiveRun): void
  /** Frees the place of a run, and gives it to the next in line. */
  leave(entrant: Entrant): void
  /** Nothing is left to do for it. */
  remove(runId: string): void
  /** Gives free places to those who wait. */
  fill(): void
  /** Lets nobody in any more. */
  stop(): void
  readonly isStopping: boolean
}

/** A board without runs, within limits that may change at any time. */
export function createRunBoard(
  limits: () => Pick<WebhookLimits, 'concurrency' | 'queue'>,
  places: () => Pick<Places, 'owned' | 'tend' | 'tendAll'>,
): RunBoard {
  const admission = createAdmission(limits, (webhook) => places().owned(webhook))
  const runs = createPassingMap<string, ActiveRun>()
  let isStopping = false

  const fill = (): void => {
    for (const runId of admission.fill()) runs.get(runId)?.grant()
  }

  return {
    admission,
    newest: new Map(),
    find: (runId) => runs.get(runId),
    all: runs.values,
    get size() {
      return runs.size
    },
    add(run) {
      runs.set(run.run_id, run)
    },
    leave(entrant) {
      const wasFull = admission.isFull()
      admission.leave(entrant)
      places().tend(entrant.webhook.id)
      if (wasFull) places().tendAll()
      fill()
    },
    remove(runId) {
      runs.delete(runId)
    },
    fill,
    stop() {
      isStopping = true
    },
    get isStopping() {
      return isStopping
    },
  }
}
