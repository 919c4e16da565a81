/** Calls `work` at the end of this turn of the event loop, after all other callbacks of the turn. */
export const atEndOfTurn: (work: () => void) => void =
  typeof setImmediate === 'function'
    ? (work) => void setImmediate(work)
    : // Not every platform has `setImmediate`; a timer fires a little later.
      (work) => void setTimeout(work, 0)

/** Lets requests run between two steps of long work: a store may respond within one turn of the event loop. */
export const letOthersRun = (): Promise<void> => new Promise(atEndOfTurn)
