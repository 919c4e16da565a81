/** The method and the path of an operation, as `GET /runs/:run_id`. `:name` is a parameter, as in a route. */
export type Place = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

/** Splits a place into its method and its path. */
export function splitPlace(place: Place): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = place.split(' ')
  return { method, path }
}

/** A path, and the endpoint of each of its methods. */
export interface PathEndpoints<E> {
  readonly path: string
  readonly endpoints: Readonly<Record<string, E>>
}

/** Sorts the endpoints of operations by path. Paths and methods keep the order of `places`. `undefined` disables an operation. */
export function endpointsByPath<Id extends string, E>(
  places: Readonly<Record<Id, Place>>,
  endpoints: Readonly<Record<Id, E | undefined>>,
): readonly PathEndpoints<E>[] {
  const byPath = new Map<string, Record<string, E>>()
  for (const id of Object.keys(places) as Id[]) {
    const endpoint = endpoints[id]
    if (endpoint === undefined) continue
    const { method, path } = splitPlace(places[id])
    byPath.set(path, { ...byPath.get(path), [method]: endpoint })
  }
  return [...byPath].map(([path, endpoints]) => ({ path, endpoints }))
}
