import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { fetchHandler, type Route } from '@gatehouse/core'
import { type Answer, lingering, type RouteRequest } from '@gatehouse/core/adapter'
import { getRequestListener, RequestError } from '@hono/node-server'

/** A request and its response, in the form of `@hono/node-server`. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The key under which the listener stores the exchange of a request. */
const exchangeKey: unique symbol = Symbol('exchange')

/** The exchange of a request. The listener sets it on every request; the servers of this program speak only HTTP/1. */
const exchangeOf = (request: RouteRequest): Exchange =>
  (request as RouteRequest & { readonly [exchangeKey]: Exchange })[exchangeKey]

/**
 * A request listener for a Node server that serves the routes through `@hono/node-server`.
 *
 * @param onError called when a route or its stream fails. The client gets 500, or is disconnected if its response has begun.
 */
export function createListener(
  routes: readonly Route[],
  onError: (error: unknown) => void = () => {},
): RequestListener {
  const finished = routes.map((route): Route => {
    return {
      ...route,
      async answer(request, info) {
        const { incoming, outgoing } = exchangeOf(request)
        const answer = lingering(await route.answer(request, info), incoming)
        const { body } = answer
        if (body === null || typeof body === 'string') return answer
        return withStream(answer, body, (error) => {
          onError(error)
          outgoing.destroy()
        })
      },
    }
  })
  const handle = fetchHandler(finished, {
    client: (request) => {
      const { remoteAddress: address, remotePort: port } = exchangeOf(request).incoming.socket
      return address === undefined ? undefined : { address, port }
    },
  })
  return getRequestListener(
    (request, { incoming, outgoing }) =>
      handle(Object.assign(request, { [exchangeKey]: { incoming, outgoing } })),
    {
      // For HTTP/1.0 clients, which may send no Host header.
      hostname: 'localhost',
      errorHandler(error) {
        const isMalformed = error instanceof RequestError
        if (!isMalformed) onError(error)
        const status = isMalformed ? 400 : 500
        return new Response(null, { status, headers: { 'content-length': '0' } })
      },
    },
  )
}

/**
 * Wraps a stream so that a failure of its source disconnects the client. `@hono/node-server` would send the message of the error
 * and end the response, which then looks complete.
 */
function withStream(
  answer: Answer,
  source: ReadableStream<Uint8Array>,
  onFailure: (error: unknown) => void,
): Answer {
  const reader = source.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          onFailure(error)
          controller.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return { ...answer, body }
}
