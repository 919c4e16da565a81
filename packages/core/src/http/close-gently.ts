/** What {@link closeGently} needs of a connection of Node.js. */
export interface NodeConnection {
  /** Not there where a request was made up, as for a test. */
  destroySoon?(): void
  destroy(): unknown
  end(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** What {@link closeGently} needs of a request of Node.js, an `IncomingMessage` of HTTP/1. */
export interface NodeRequest {
  readonly complete: boolean
  readonly socket: NodeConnection
  removeAllListeners(event: 'data'): unknown
  once(event: 'end', listener: () => void): unknown
  resume(): unknown
}

/** How long a client may go on sending a body nobody reads, once it has its answer. */
const lingerMs = 500

/** The request that each connection is at, of those that are closed gently. */
const requests = new WeakMap<NodeConnection, NodeRequest>()

/**
 * Of a request of Node.js that was answered before its body had come: its connection is not closed at once, should it have to be, but only
 * for writing, and altogether once the body is over or half a second has passed. The system resets a connection that is closed while
 * something unread comes, and a client that is still sending never learns why.
 *
 * @see RFC 9112, section 9.6
 */
export function closeGently(incoming: NodeRequest): void {
  const { socket } = incoming
  const isKnown = requests.has(socket)
  const destroySoon = socket.destroySoon?.bind(socket)
  if (destroySoon === undefined) return
  requests.set(socket, incoming)
  if (isKnown) return
  let isLingering = false
  // What Node.js itself calls behind the last answer of a connection.
  socket.destroySoon = () => {
    const request = requests.get(socket)
    if (isLingering || request === undefined || request.complete) return destroySoon()
    isLingering = true
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
    // A stream that nobody reads any more may still stop what comes.
    request.removeAllListeners('data')
    request.once('end', destroySoon)
    request.resume()
  }
}
