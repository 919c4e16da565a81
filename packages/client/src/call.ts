import type { Call, CallOptions, Requester } from './request.ts'

/** The arguments of an operation, without the options of the call. */
interface OperationRequest {
  /** The values of the parameters of its path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object | undefined
  readonly body?: unknown
}

/** The request and the answer of an operation. Core writes both from its schemas. */
interface OperationCall {
  readonly request?: OperationRequest
  readonly answer: unknown
}

type RequestOf<C> = C extends { readonly request: infer R } ? R : Readonly<Record<string, never>>

/** Options of sending a request. */
interface SendOptions extends CallOptions, Pick<Call, 'headers'> {}

/** Sends the request of an operation, and returns the decoded body of the answer. @throws {GatehouseClientError} */
export type Caller<Calls extends Readonly<Record<keyof Calls, OperationCall>>> = <
  Place extends keyof Calls & string,
>(
  place: Place,
  request: RequestOf<Calls[Place]>,
  options?: SendOptions,
) => Promise<Calls[Place]['answer']>

/**
 * A {@link Caller} of the operations of a service. The types know them by method and path, as core's tables have them, so that no
 * table is packed.
 */
export function createCaller<Calls extends Readonly<Record<keyof Calls, OperationCall>>>({
  json,
}: Pick<Requester, 'json'>): Caller<Calls> {
  return (place, request, options) => {
    // The type of each operation has no other members.
    const { path: values, ...parts } = request as OperationRequest
    const { method, path } = splitPlace(place, values)
    return json(path, { method, ...parts, ...options })
  }
}

/** The method of a place such as `GET /runs/:run_id`, and its path with these values. */
export function splitPlace<Place extends string>(
  place: Place,
  values: Readonly<Record<string, string>> = {},
): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = place.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values[name])))
  return { method, path: filled }
}
