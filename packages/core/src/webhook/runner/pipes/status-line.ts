import { connect, createServer, type Server, type Socket } from 'node:net'

/** Gets one report of a launcher, and its length in bytes. */
export type ReportListener = (word: string, length: number) => void

/** The shared line on which launchers report, one line per report: the number of the launcher and a word. */
export interface StatusLine {
  /** The end that launchers write to. */
  readonly writer: Socket
  /** Sets the listener for the reports of a launcher; `undefined` removes it. */
  listen(id: number, listener: ReportListener | undefined): void
  /** Whether listening keeps this process alive. */
  keepAlive(isWanted: boolean): void
  close(): void
}

/** A line has few bytes, and each launcher writes one per command. */
const bufferSize = 16_384

/**
 * Opens a line that all launchers share, so that one read gets the reports of several. It is a pair of sockets.
 *
 * @param path the path of its socket, which listens while the line is open; see {@link isAbandoned}.
 */
export async function openStatusLine(path: string): Promise<StatusLine> {
  const listeners = new Map<number, ReportListener>()
  let rest = ''
  const take = (length: number, bytes: Uint8Array): boolean => {
    const lines = (rest + Buffer.from(bytes.buffer, 0, length).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [id, word = ''] = line.split(' ')
      listeners.get(Number(id))?.(word, line.length + 1)
    }
    return true
  }
  const { reader, writer, server } = await openPair(path, take)
  // It never ends, because this process has both ends.
  for (const end of [reader, writer]) end.on('error', () => {}).unref()
  return {
    writer,
    listen(id, listener) {
      if (listener === undefined) listeners.delete(id)
      else listeners.set(id, listener)
    },
    keepAlive(isWanted) {
      if (isWanted) reader.ref()
      else reader.unref()
    },
    close() {
      server.close()
      reader.destroy()
      writer.destroy()
    },
  }
}

/** Two connected sockets, and the server that made the second. */
interface SocketPair {
  readonly reader: Socket
  readonly writer: Socket
  readonly server: Server
}

async function openPair(
  path: string,
  take: (length: number, bytes: Uint8Array) => boolean,
): Promise<SocketPair> {
  const server = createServer({ pauseOnConnect: true }).unref()
  try {
    const pair = await new Promise<SocketPair>((resolve, reject) => {
      server.on('error', reject)
      server.listen(path, () => {
        const buffer = new Uint8Array(bufferSize)
        const reader = connect({ path, onread: { buffer, callback: take } })
        reader.on('error', reject)
        server.once('connection', (writer) => resolve({ reader, writer, server }))
      })
    })
    server.on('connection', (visitor) => visitor.destroy())
    return pair
  } catch (error) {
    server.close()
    throw error
  }
}

/** Whether the process that opened the line at a path is gone, without having closed it. */
export function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const visitor = connect({ path })
    visitor.on('connect', () => {
      visitor.destroy()
      resolve(false)
    })
    visitor.on('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED')
    })
  })
}
