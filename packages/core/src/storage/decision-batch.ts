import { type Content, type DecideTogether, isSame, none } from './decision.ts'

/** A waiting call. */
export interface Waiting<T> {
  readonly ids: readonly string[]
  /** Runs the decision on the current contents and changes them. */
  decide(contents: Map<string, Content<T>>): void
  /** Settles the call with the result of the last decision. */
  settle(): void
  reject(error: unknown): void
}

/** Calls that are decided together, because each shares a record with another. */
export interface Batch<T> {
  readonly calls: Waiting<T>[]
  readonly ids: Set<string>
}

/**
 * Makes a call wait.
 *
 * @param contentAfter computes the new content from a decision that changes something.
 */
export function createWaiting<T, A>(
  ids: readonly string[],
  decide: DecideTogether<T, A>,
  contentAfter: (id: string, decided: Content<T>) => Content<T>,
  caller: { resolve: (answer: A) => void; reject: (error: unknown) => void },
): Waiting<T> {
  let settle = (): void => {}
  return {
    ids,
    decide(all) {
      try {
        const before = ids.map((id) => all.get(id) ?? none)
        const { contents, answer } = decide(before)
        const after = ids.map((id, index) => {
          const [old = none, decided = none] = [before[index], contents[index]]
          return isSame(decided, old) ? old : contentAfter(id, decided)
        })
        for (const [index, id] of ids.entries()) all.set(id, after[index] ?? none)
        settle = () => caller.resolve(answer)
      } catch (error) {
        settle = () => caller.reject(error)
      }
    },
    settle: () => settle(),
    reject: caller.reject,
  }
}

/**
 * Takes the calls out of a line whose records no batch decides on, nor an earlier call waits for.
 *
 * @param line the waiting calls, in their order.
 * @param busy the records that a batch is deciding.
 */
export function takeBatches<T>(
  line: readonly Waiting<T>[],
  busy: ReadonlySet<string>,
): { readonly batches: Iterable<Batch<T>>; readonly left: Waiting<T>[] } {
  const held = new Set(busy)
  const batches = new Map<string, Batch<T>>()
  const left = line.filter((call) => {
    const isHeld = call.ids.some((id) => held.has(id))
    if (isHeld) for (const id of call.ids) held.add(id)
    else join(call, batches)
    return isHeld
  })
  return { batches: new Set(batches.values()), left }
}

/** Adds a call to the batch of its records, which unites batches that had no record in common before. */
function join<T>(call: Waiting<T>, batches: Map<string, Batch<T>>): void {
  const joined = new Set(call.ids.flatMap((id) => batches.get(id) ?? []))
  const [batch = { calls: [], ids: new Set<string>() }, ...others] = joined
  for (const { calls, ids } of others) {
    batch.calls.push(...calls)
    for (const id of ids) batch.ids.add(id)
  }
  batch.calls.push(call)
  for (const id of call.ids) batch.ids.add(id)
  for (const id of others.length === 0 ? call.ids : batch.ids) batches.set(id, batch)
}
