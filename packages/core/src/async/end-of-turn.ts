/** Calls `work` when everybody who was woken in this turn of the event loop has been served. */
export const atEndOfTurn: (work: () => void) => void =
  typeof setImmediate === 'function'
    ? (work) => void setImmediate(work)
    : // Not every platform has `setImmediate`; a timer comes a little later.
      (work) => void setTimeout(work, 0)

/** Lets requests run between two steps of long work: a store may answer within one turn of the event loop. */
export const letOthersRun = (): Promise<void> => new Promise(atEndOfTurn)
