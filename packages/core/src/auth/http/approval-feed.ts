import type { Answer } from '../../http/answer.ts'
import {
  commentBytes,
  eventBytes,
  eventStreamType,
  streamedAnswer,
} from '../../http/event-stream.ts'
import { accepts } from '../../http/media-type.ts'
import type { RequestInfo, RouteRequest, SocketHandler } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { authError, validationFailed } from '../errors.ts'
import type { Listener, ListenOptions } from '../kinds/oob-otp/listeners.ts'
import { isOriginAllowed } from './cors.ts'
import { requestContext } from './request-context.ts'
import type { FramedRow } from './request-frame.ts'

/** Clients of the current reference read `kind`, those of its documentation `type`. */
const message = JSON.stringify({ type: 'refresh', kind: 'refresh' })

/** @see createChannelName */
const channelName = /^ws_[0-9A-HJKMNP-TV-Z]{32}$/

/** @see RFC 6455, section 7.4.1 */
const closeCodes = { expired: 1000, closing: 1001, tryAgainLater: 1013 }

/** Notifies listeners that a link was approved, by WebSocket or server-sent events. */
export function approvalFeed(auth: AuthContext): Omit<FramedRow, 'method' | 'path'> {
  return {
    kind: 'api',
    action: 'public',
    async answer({ request, info }) {
      if (!wantsEvents(request)) {
        const expected = 'open a WebSocket, or accept text/event-stream'
        throw authError('BadRequest', 'BadRequest', expected)
      }
      return eventStream(auth, checkPlace(auth, request, info))
    },
    async connect(request, info) {
      return socketHandler(auth, checkPlace(auth, request, info))
    },
  }
}

function wantsEvents({ headers }: RouteRequest): boolean {
  const header = headers.get('accept')
  return header !== null && header.trim() !== '' && accepts(header, eventStreamType)
}

/**
 * The channel, the client's address, and the deadline of a listener.
 *
 * @throws {GatehouseError} `Forbidden` for pages of other origins; `ValidationFailed`; `TooManyRequest`.
 */
function checkPlace(auth: AuthContext, request: RouteRequest, info: RequestInfo): ListenOptions {
  const config = auth.config.current
  const origin = request.headers.get('origin')
  if (origin !== null && !isOriginAllowed(config, origin)) {
    throw authError('Forbidden', 'Forbidden', 'the origin is not allowed')
  }
  const channel = new URLSearchParams(info.query).get('channel') ?? ''
  if (!channelName.test(channel)) {
    throw validationFailed([
      { location: '/channel', kind: 'format', details: { format: 'channel' } },
    ])
  }
  const { ip: address = '' } = requestContext(request, info)
  if (!auth.listeners.hasRoom({ channel, address })) {
    throw authError('TooManyRequest', 'TooManyRequest', 'too many connections wait for links')
  }
  const { link_ms: linkMs } = config.authenticator.oob_otp.email.valid_periods
  const longest = Math.min(linkMs, config.authentication_flow.lifetime_ms)
  return { channel, address, until: auth.clock.now() + longest }
}

function socketHandler({ listeners }: AuthContext, place: ListenOptions): SocketHandler {
  return (socket) => {
    const listener: Listener = {
      refresh: () => socket.send(message),
      ping: () => socket.ping(),
      end: (reason) => socket.close(closeCodes[reason], reason),
    }
    const leave = listeners.add(listener, place)
    if (leave !== undefined) return leave
    // The limit was reached while this connection was being opened.
    socket.close(closeCodes.tryAgainLater, 'try again later')
    return () => {}
  }
}

function eventStream({ listeners }: AuthContext, place: ListenOptions): Answer {
  let leave: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Headers are only sent with the first bytes of the body.
      controller.enqueue(commentBytes('waiting'))
      const listener: Listener = {
        refresh: () => controller.enqueue(eventBytes(undefined, message)),
        ping: () => controller.enqueue(commentBytes('ping')),
        end: () => controller.close(),
      }
      leave = listeners.add(listener, place)
      if (leave === undefined) controller.close()
    },
    cancel: () => leave?.(),
  })
  return streamedAnswer(eventStreamType, body)
}
