import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { fetchHandler, type Route } from '@gatehouse/core'
import { type Answer, lingering } from '@gatehouse/core/adapter'
import { getRequestListener } from '@hono/node-server'

/** A request and its response, as `@hono/node-server` passes them along. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/**
 * A listener of a server of Node that serves the routes by `@hono/node-server`.
 *
 * @param onError called when a route or its stream fails. The client gets 500, or is disconnected if its answer has begun.
 */
export function createListener(
  routes: readonly Route[],
  onError: (error: unknown) => void = () => {},
): RequestListener {
  const outgoings = new WeakMap<object, ServerResponse>()
  const reported = routes.map((route): Route => {
    return {
      ...route,
      async answer(request, info) {
        const answer = await route.answer(request, info)
        const { body } = answer
        if (body === null || typeof body === 'string') return answer
        return withStream(answer, body, (error) => {
          onError(error)
          outgoings.get(request)?.destroy()
        })
      },
    }
  })
  const handle = fetchHandler(reported, {
    client: (_, { incoming: { socket } }: Exchange) => {
      const { remoteAddress: address, remotePort: port } = socket
      return address === undefined ? undefined : { address, port }
    },
  })
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      // The servers of this program speak HTTP/1 alone.
      const exchange = { incoming, outgoing } as Exchange
      outgoings.set(request, exchange.outgoing)
      return lingering(await handle(request, exchange), exchange.incoming)
    },
    {
      // For clients of HTTP/1.0, which may name no host.
      hostname: 'localhost',
      errorHandler(error) {
        onError(error)
        return new Response(null, { status: 500, headers: { 'content-length': '0' } })
      },
    },
  )
}

/**
 * The answer with a stream that ends where its source fails. `@hono/node-server` would send the client the message of the
 * error and end the response, which then looks complete.
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
