/** Calls `work` when everybody who was woken in this turn of the event loop has been served. */
export const atEndOfTurn: (work: () => void) => void =
  typeof setImmediate === 'function'
    ? (work) => void setImmediate(work)
    : // Not every platform has `setImmediate`; a timer comes a little later.
      (work) => void setTimeout(work, 0)
