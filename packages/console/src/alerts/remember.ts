/**
 * Calls a function once for each object. Groups and alerts that have not changed are the same objects as before, so that a change of
 * one among 10,000 costs little.
 */
export function remember<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const found = known.get(key) ?? { value: of(key) }
    known.set(key, found)
    return found.value
  }
}
