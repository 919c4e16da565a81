/** Where an operation is: its method and its path, as `GET /runs/:run_id`. `:name` is a parameter, as in a route. */
export type Place = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

/** Splits a place. */
export function splitPlace(place: Place): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = place.split(' ')
  return { method, path }
}

/** What answers at a path, by method. */
export interface PathEndpoints<E> {
  readonly path: string
  readonly endpoints: Readonly<Record<string, E>>
}

/**
 * The endpoints of operations by path. Paths and methods have the order of `places`; an endpoint that is `undefined` is switched off.
 */
export function endpointsByPath<Id extends string, E>(
  places: Readonly<Record<Id, Place>>,
  endpoints: Readonly<Record<Id, E | undefined>>,
): readonly PathEndpoints<E>[] {
  const byPath = new Map<string, Record<string, E>>()
  // Further places may stand in the table; those without an endpoint here are another list's.
  for (const id of Object.keys(places) as Id[]) {
    const endpoint = endpoints[id]
    if (endpoint === undefined) continue
    const { method, path } = splitPlace(places[id])
    byPath.set(path, { ...byPath.get(path), [method]: endpoint })
  }
  return [...byPath].map(([path, endpoints]) => ({ path, endpoints }))
}
