import type { IncomingMessage, ServerResponse } from 'node:http'
import { closeGently, createRouteTable, type RequestInfo, type Route } from '@gatehouse/core'
import { IncomingRequest } from './request.ts'
import { createRequestTarget, type ExpressRequest, type RequestTarget } from './request-target.ts'
import { sendAnswer } from './response.ts'

export {
  type ExpressUpgradeOptions,
  expressUpgrade,
  type NodeWebSocket,
  type NodeWebSocketServer,
  type UpgradeHandler,
} from './web-socket.ts'

/** A middleware for `app.use()` of Express 4 and 5, and of everything that speaks like them. */
export type ExpressHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * A middleware that serves the given routes, for `app.use(…)` or `app.use('/sub', …)`, before or behind body
 * parsers. A path that no route takes goes on to the next middleware, and so does the error of a handler
 * that fails. Whom to believe about the client is the app's setting `trust proxy`.
 *
 * @throws {TypeError} if two routes have the same method and path.
 */
export function expressAdapter(routes: readonly Route[]): ExpressHandler {
  const table = createRouteTable(routes)
  return (incoming, outgoing, next) => {
    const target = createRequestTarget(incoming)
    const match = target && table.match(incoming.method ?? 'GET', target.path)
    if (target === undefined || match === undefined) {
      next()
      return
    }
    const info = infoOf(incoming, target, match.params)
    serve(match.route, { incoming, outgoing, target, info }).catch(next)
  }
}

/** A request, where its answer goes, and what is known of it. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly target: RequestTarget
  readonly info: RequestInfo
}

async function serve(route: Route, { incoming, outgoing, target, info }: Exchange): Promise<void> {
  const answer = await route.answer(new IncomingRequest(incoming, outgoing, target), info)
  if (incoming.complete === false) closeGently(incoming)
  await sendAnswer(answer, outgoing)
}

function infoOf(
  incoming: ExpressRequest,
  { path, mountPath, query }: RequestTarget,
  params: RequestInfo['params'],
): RequestInfo {
  const { socket } = incoming
  const secure = incoming.secure ?? ('encrypted' in socket && socket.encrypted === true)
  const address = incoming.ip ?? socket.remoteAddress
  if (address === undefined) return { params, path, mountPath, query, secure }
  const port = address === socket.remoteAddress ? socket.remotePort : undefined
  const peer = port === undefined ? { address } : { address, port }
  return { params, path, mountPath, query, secure, peer }
}
