import { WebSocket } from 'ws'

/** A client of one WebSocket. */
export interface SocketClient {
  /** Messages received so far. */
  readonly messages: readonly string[]
  /** Pings received so far. */
  readonly pings: number
  /** Resolves once this many messages have arrived. */
  received(count: number): Promise<readonly string[]>
  /** Resolves once this many pings have arrived. */
  pinged(count: number): Promise<void>
  /** Resolves when the connection closes, with the code and the reason: `1000 bye`. */
  readonly closed: Promise<string>
  send(data: string | Uint8Array): void
  close(): void
  /** Cuts the connection without a close frame. */
  cut(): void
}

/** Options of {@link openSocket}. */
export interface OpenSocketOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to answer pings (default true). */
  readonly autoPong?: boolean
}

/** Opens a WebSocket. @throws {Error} with status and body, as `403 <body>`, if the server refuses. */
export function openSocket(url: string, options: OpenSocketOptions = {}): Promise<SocketClient> {
  const { headers = {}, autoPong = true } = options
  const socket = new WebSocket(url, { headers, autoPong })
  const messages: string[] = []
  let pings = 0
  let wake: (() => void)[] = []
  const tell = (): void => {
    const waiting = wake
    wake = []
    for (const one of waiting) one()
  }
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise<void>((resolve) => wake.push(resolve))
  }
  socket.on('message', (data) => {
    messages.push(String(data))
    tell()
  })
  socket.on('ping', () => {
    pings++
    tell()
  })
  const closed = new Promise<string>((resolve) => {
    socket.on('close', (code, reason) => resolve(`${code} ${reason}`.trim()))
  })
  const client: SocketClient = {
    messages,
    get pings() {
      return pings
    },
    async received(count) {
      await until(() => messages.length >= count)
      return messages
    },
    pinged: (count) => until(() => pings >= count),
    closed,
    send: (data) => socket.send(data),
    close: () => socket.close(),
    cut: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client))
    socket.on('error', reject)
    socket.on('unexpected-response', (_, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${text}`.trim())))
    })
  })
}
