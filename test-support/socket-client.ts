import { WebSocket } from 'ws'

/** A client of one WebSocket. */
export interface SocketClient {
  /** What has come so far. */
  readonly messages: readonly string[]
  /** How many pings have come so far. */
  readonly pings: number
  /** Settles when so many messages have come. */
  received(count: number): Promise<readonly string[]>
  /** Settles when so many pings have come. */
  pinged(count: number): Promise<void>
  /** Settles when it is closed: with the code and the reason, as `1000 bye`. */
  readonly closed: Promise<string>
  send(data: string | Uint8Array): void
  close(): void
  /** Cuts the connection without a word. */
  cut(): void
}

/** Options of {@link openSocket}. */
export interface OpenSocketOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Whether pings are answered (default true). */
  readonly autoPong?: boolean
}

/** Opens a WebSocket. @throws {Error} as `403 <body>` if it is refused. */
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
