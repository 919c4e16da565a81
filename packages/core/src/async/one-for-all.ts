/**
 * Does for all who ask at the same point what each of them asks for alone. It begins when whoever is running now has asked,
 * so that nobody is answered by what began before.
 */
export function oneForAll(work: () => Promise<unknown>): () => Promise<unknown> {
  let next: Promise<unknown> | undefined
  const begin = (): Promise<unknown> => {
    next = undefined
    return work()
  }
  return () => {
    next ??= Promise.resolve().then(begin)
    return next
  }
}
