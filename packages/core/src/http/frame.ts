import type { RouteAction } from '../authorization/action.ts'
import type { Answer } from './answer.ts'
import type { RequestInfo, Route, RouteRequest } from './route.ts'

/** A request that is being answered. Services add what they know about it. */
export interface Exchange {
  readonly request: RouteRequest
  readonly info: RequestInfo
}

/** A route without the parts that every answer of its service has. `O` is what it answers with before {@link FramePorts.settle}. */
export interface Row<X extends Exchange = Exchange, O = Answer>
  extends Pick<Route, 'method' | 'path' | 'serves' | 'connect' | 'isCompressible'> {
  readonly action: RouteAction
  answer(exchange: X): Promise<O>
}

/** What differs between services: how they begin, check, refuse, report and complete the answer to a request. */
export interface FramePorts<R extends Row<X, O>, X extends Exchange, O, A extends Answer> {
  open(request: RouteRequest, info: RequestInfo): X
  /** Refuses by throwing what a request may not do, before its row sees it; `undefined` if there is nothing to wait for. */
  check(row: R, exchange: X): Promise<void> | undefined
  /** Runs around the check and the row, such as to end a wait for them (default: nothing does). */
  within?(row: R, exchange: X, proceed: () => Promise<O>): Promise<O>
  /** Words an error as this service does on the wire. */
  refuse(error: unknown, row: R, exchange: X): O
  /** Makes an answer of what a row, or a refusal, came to. */
  settle(outcome: O, row: R, exchange: X): A | Promise<A>
  /** Logs or counts an answer. */
  report(answer: A, row: R, exchange: X): void
  /** Adds the headers of every answer, or of every one of this row. */
  complete(answer: A, row: R, exchange: X): Answer
}

/** Makes routes of the rows of a service: each one is opened, checked, answered or refused, reported and completed in this order. */
export function createFrame<R extends Row<X, O>, X extends Exchange, O, A extends Answer>(
  ports: FramePorts<R, X, O, A>,
): (row: R) => Route {
  function complete(answer: A, row: R, exchange: X): Answer {
    return forMethod(exchange.request.method, ports.complete(answer, row, exchange))
  }

  return (row) => {
    const { method, path, action, serves, connect, isCompressible } = row
    const route: Route = {
      method,
      path,
      action,
      ...(serves === undefined ? {} : { serves }),
      ...(isCompressible === undefined ? {} : { isCompressible }),
      async answer(request, info) {
        const exchange = ports.open(request, info)
        // Waits only where there is something to wait for: a wait takes a tenth of the shortest requests.
        const proceed = (): Promise<O> => {
          const checked = ports.check(row, exchange)
          return checked === undefined
            ? row.answer(exchange)
            : checked.then(() => row.answer(exchange))
        }
        let outcome: O
        try {
          outcome = await (ports.within?.(row, exchange, proceed) ?? proceed())
        } catch (error) {
          outcome = ports.refuse(error, row, exchange)
        }
        const settled = ports.settle(outcome, row, exchange)
        const answer = settled instanceof Promise ? await settled : settled
        ports.report(answer, row, exchange)
        return complete(answer, row, exchange)
      },
    }
    if (connect === undefined) return route
    return {
      ...route,
      async connect(request, info) {
        const exchange = ports.open(request, info)
        try {
          await ports.check(row, exchange)
          return await connect(request, info)
        } catch (error) {
          const refusal = ports.refuse(error, row, exchange)
          return complete(await ports.settle(refusal, row, exchange), row, exchange)
        }
      },
    }
  }
}

/** An answer to HEAD has the headers of GET, and no body. */
function forMethod(method: string, answer: Answer): Answer {
  if (method !== 'HEAD') return answer
  // The body was not read, so canceling it cannot fail.
  if (answer.body instanceof ReadableStream) void answer.body.cancel()
  return { ...answer, body: null }
}
