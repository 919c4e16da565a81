import type { Ids } from '../../crypto/ids.ts'
import type { Json } from '../../storage/storage.ts'
import { type JsonText, jsonTextOf } from '../body/json-text.ts'
import { type FieldProblem, invalidRequest } from '../errors.ts'
import type { Delivery } from '../request/delivery.ts'

/** A call of the program has no body from a client, so it takes nothing from the budget. */
const noHold: Delivery['hold'] = { release() {} }

/** The unchecked call of a program. */
export interface CallParts {
  readonly id: unknown
  readonly token?: unknown
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** How to admit the call, and whether it may lack a token. */
export interface CallOptions {
  readonly trust: 'unchecked' | 'program'
  readonly mayLackToken: (id: string) => boolean
  readonly ids: Ids
}

/**
 * Converts a call of the program into a delivery, with the body that a request would have.
 *
 * @throws {GatehouseError} `invalid_request`, with every problem in `info.fields`.
 */
export function deliveryOfCall(call: CallParts, options: CallOptions): Delivery {
  const { trust, ids } = options
  const { id, token, data, headers = {} } = call
  const problems = [...idProblems(id), ...tokenProblems(call, options), ...dataProblems(data)]
  const body = problems.length === 0 ? bodyOf(id, data) : undefined
  if (body === undefined) {
    throw invalidRequest(
      problems.length > 0 ? problems : [{ path: 'data', problem: 'must be JSON' }],
    )
  }
  const received = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return {
    id: String(id),
    token: typeof token === 'string' ? token : undefined,
    body,
    files: new Map(),
    rawBody: undefined,
    isBodyRebuilt: false,
    method: 'POST',
    header: (name) => received.get(name.toLowerCase()),
    query: () => undefined,
    headers: () => received,
    search: '',
    clientAddress: undefined,
    clientPort: undefined,
    requestId: ids.random(),
    trust,
    hold: noHold,
  }
}

function idProblems(id: unknown): FieldProblem[] {
  if (typeof id === 'string' && id !== '') return []
  const problem = id === undefined ? 'is missing' : 'must be a non-empty string'
  return [{ path: 'id', problem }]
}

function tokenProblems({ id, token }: CallParts, options: CallOptions): FieldProblem[] {
  const { trust, mayLackToken } = options
  if (trust === 'program') return []
  if (token === undefined) {
    const isMissing = typeof id !== 'string' || !mayLackToken(id)
    return isMissing ? [{ path: 'token', problem: 'is missing' }] : []
  }
  const isText = typeof token === 'string' && token !== ''
  return isText ? [] : [{ path: 'token', problem: 'must be a non-empty string' }]
}

function dataProblems(data: unknown): FieldProblem[] {
  const isObject = typeof data === 'object' && !Array.isArray(data)
  if (data === undefined || isObject) return []
  return [{ path: 'data', problem: 'must be an object or null' }]
}

/** The body as it would be sent: without undefined members, with dates as text. `undefined` if JSON cannot represent it. */
function bodyOf(id: unknown, data: unknown): JsonText | undefined {
  try {
    const members = { id, ...(data === undefined ? {} : { data }) } as Readonly<
      Record<string, Json>
    >
    const body = jsonTextOf(members)
    return dataProblems(Reflect.get(Object(body.value), 'data')).length === 0 ? body : undefined
  } catch {
    return undefined
  }
}
