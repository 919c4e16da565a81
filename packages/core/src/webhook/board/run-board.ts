import { createPassingMap } from '../../async/passing-map.ts'
import type { WebhookLimits } from '../webhook.ts'
import { type Admission, createAdmission } from './admission.ts'
import type { Entrant } from './lanes.ts'
import type { Places } from './places/places.ts'
import type { RunHandle } from './run-handle.ts'
import type { EndCause } from './run-progress.ts'

/** A run that this process owns. */
export interface ActiveRun extends RunHandle {
  /** The run has a place: its command may start. */
  grant(): void
  /** The run ends as its command did, if it waits to start it again. */
  stopRetrying(): void
  /** Ends it for a cause; see {@link SupervisedCommand.end}. A waiting run ends at once. */
  end(cause: EndCause, graceMs?: number): void
}

/** The runs of this process. */
export interface RunBoard {
  readonly admission: Admission
  /** The newest run of this process by webhook id, for webhooks whose newer runs replace others. */
  readonly newest: Map<string, string>
  find(runId: string): ActiveRun | undefined
  all(): readonly ActiveRun[]
  readonly size: number
  add(run: ActiveRun): void
  /** Frees the place of a run, and gives it to the next in the queue. */
  leave(entrant: Entrant): void
  /** Forgets a run that is done. */
  remove(runId: string): void
  /** Gives free places to waiting runs. */
  fill(): void
  /** Refuses new runs. */
  stop(): void
  readonly isStopping: boolean
}

/** Creates a board without runs, with limits that may change at any time. */
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
