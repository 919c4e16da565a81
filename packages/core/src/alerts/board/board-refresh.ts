import { atEndOfTurn } from '../../async/end-of-turn.ts'
import { shareRuns } from '../../async/shared-runs.ts'
import { inSlices, pause } from '../../async/slices.ts'
import type { Instant } from '../../time/clock.ts'

/** Brings a board up to date, so that no reader sees half of the changes. */
export interface BoardRefresh {
  /** Between the end of the returned promise and the next `await` the board does not change. */
  refresh(): Promise<Instant>
  /** If the board was read lately, refreshes it soon, ahead of the next reader. */
  prepare(): void
}

/** Options of {@link createBoardRefresh}. */
export interface BoardRefreshOptions {
  /** Reads what was stored, and returns the time. */
  catchUp: () => Promise<Instant>
  /** Computes what follows from it, in steps between which other work may run. */
  advance: (now: Instant) => Generator<void>
  /** Whether there is something to compute. */
  isChanged: () => boolean
  /** Whether the board was read lately. */
  isRead: () => boolean
}

/** Creates a {@link BoardRefresh}. */
export function createBoardRefresh(options: BoardRefreshOptions): BoardRefresh {
  const { catchUp, advance, isChanged, isRead } = options
  /** Whether a refresh has resolved in this turn of the event loop and its caller may still be about to read. */
  let isBeingRead = false
  let isPreparing = false

  const refresh = shareRuns(async () => {
    const now = await catchUp()
    // A reader must not see half of the changes: start work that may pause only when no reader is about to read.
    if (isBeingRead && isChanged()) await pause()
    await inSlices(advance(now))
    if (!isBeingRead) {
      isBeingRead = true
      atEndOfTurn(() => {
        isBeingRead = false
      })
    }
    return now
  })

  return {
    refresh,

    prepare() {
      if (isPreparing || !isRead()) return
      isPreparing = true
      atEndOfTurn(() => {
        const end = (): void => {
          isPreparing = false
        }
        // The next reader sees the failure itself.
        refresh().then(end, end)
      })
    },
  }
}
