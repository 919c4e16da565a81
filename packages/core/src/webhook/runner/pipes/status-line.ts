import { connect, createServer, type Server, type Socket } from 'node:net'

/** Told what one launcher says, and how many bytes it took to say so. */
export type HearLauncher = (word: string, length: number) => void

/** What launchers say things on, in lines of the number they go by and a word. */
export interface StatusLine {
  /** For launchers to write to. */
  readonly mouth: Socket
  /** Whom what a launcher says is for; nobody if it is `undefined`. */
  hear(id: number, listener: HearLauncher | undefined): void
  /** Whether this process stays alive to hear it. */
  keepAlive(isWanted: boolean): void
  close(): void
}

/** A line is a few bytes long, and each launcher says one for a command. */
const bufferSize = 16_384

/**
 * Opens a line that all launchers share: what several of them have said is then read at once. It is a pair of sockets.
 *
 * @param path where one listens as long as the line is open, see {@link isAbandoned}.
 */
export async function openStatusLine(path: string): Promise<StatusLine> {
  const listeners = new Map<number, HearLauncher>()
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
  const { ear, mouth, server } = await openPair(path, take)
  // It never comes to its end, as this process has both ends.
  for (const end of [ear, mouth]) end.on('error', () => {}).unref()
  return {
    mouth,
    hear(id, listener) {
      if (listener === undefined) listeners.delete(id)
      else listeners.set(id, listener)
    },
    keepAlive(isWanted) {
      if (isWanted) ear.ref()
      else ear.unref()
    },
    close() {
      server.close()
      ear.destroy()
      mouth.destroy()
    },
  }
}

/** Two sockets, where one reads what the other writes, and what made the second. */
interface SocketPair {
  readonly ear: Socket
  readonly mouth: Socket
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
        const ear = connect({ path, onread: { buffer, callback: take } })
        ear.on('error', reject)
        server.once('connection', (mouth) => resolve({ ear, mouth, server }))
      })
    })
    server.on('connection', (visitor) => visitor.destroy())
    return pair
  } catch (error) {
    server.close()
    throw error
  }
}

/** Whether the process is gone that has opened the line with a path, and has not closed it. */
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
