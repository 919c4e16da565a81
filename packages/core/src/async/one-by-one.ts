/** Creates a line: work runs in the order of the calls, each after the end of the one before, even if that failed. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn
    return turn
  }
}
