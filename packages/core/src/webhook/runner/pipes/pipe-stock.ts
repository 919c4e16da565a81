import { createServer, type Server, Socket } from 'node:net'
import { lineIn, removeAbandoned } from './abandoned-folders.ts'
import { closePipe, makeFolder, openReadingEnds, remove, unname } from './files.ts'
import { makePipes, type RunQuietly } from './make-pipes.ts'

/** A pipe that a command writes to. */
export interface CommandPipe {
  /** Where the command writes, open in this process until {@link CommandPipe.handOver}. */
  readonly writer: number
  /** Where this process reads. */
  readonly source: Socket
  /** Closes the command's end here: the command has it by now, or never will. */
  handOver(): void
}

/**
 * Pipes for the outputs of commands. Node.js itself connects commands by sockets, which differ from pipes: a command cannot open
 * `/dev/stdout` where it is a socket.
 */
export interface PipeStock {
  /**
   * So many pipes; `undefined` where none can be made.
   *
   * @throws what the system says if too many files are open.
   */
  take(count: number): Promise<readonly CommandPipe[] | undefined>
  close(): void
}

/** Options of {@link createPipeStock}. */
export interface PipeStockOptions {
  /** Folders that may take the one with the pipes, the best first. */
  readonly parents: readonly string[]
  readonly run: RunQuietly
}

/** How many are made at once, and how few are left when more are made ahead of their use. */
const batchSize = 128
const lowMark = 32

/**
 * A {@link PipeStock} that makes named pipes ahead. Each is removed from its folder when it is opened and used once, so that nothing a command
 * leaves behind can read or write a later command's.
 */
export function createPipeStock({ parents, run }: PipeStockOptions): PipeStock {
  const paths: string[] = []
  let folder: string | undefined
  let line: Server | undefined
  let made = 0
  let making: Promise<boolean> | undefined
  let isClosed = false

  const openFolder = async (): Promise<string | undefined> => {
    if (folder !== undefined) return folder
    for (const parent of parents) await removeAbandoned(parent)
    folder = makeFolder(parents)
    if (folder !== undefined) line = await listen(lineIn(folder))
    return folder
  }

  const make = async (): Promise<boolean> => {
    const place = await openFolder()
    if (place === undefined || isClosed) return false
    const batch = Array.from({ length: batchSize }, () => `${place}/${made++}.pipe`)
    if (!(await makePipes(batch, run))) return false
    paths.push(...batch)
    return true
  }

  const makeMore = (): Promise<boolean> => {
    making ??= make().finally(() => {
      making = undefined
      if (isClosed) clear()
    })
    return making
  }

  const clear = (): void => {
    line?.close()
    if (folder !== undefined) remove(folder)
    paths.length = 0
  }

  return {
    async take(count) {
      while (paths.length < count) if (!(await makeMore())) return undefined
      const taken = paths.splice(-count)
      if (paths.length < lowMark) void makeMore()
      const opened: CommandPipe[] = []
      try {
        for (const path of taken) opened.push(openPipe(path))
        return opened
      } catch (error) {
        for (const pipe of opened) {
          pipe.handOver()
          pipe.source.destroy()
        }
        throw error
      } finally {
        for (const path of taken) unname(path)
      }
    },

    close() {
      isClosed = true
      if (making === undefined) clear()
    },
  }
}

function openPipe(path: string): CommandPipe {
  const { reader, writer } = openReadingEnds(path)
  try {
    const source = new Socket({ fd: reader, readable: true, writable: false })
    return { writer, source, handOver: () => closePipe(writer) }
  } catch (error) {
    for (const end of [reader, writer]) closePipe(end)
    throw error
  }
}

/** Shows other processes that a folder is in use; `undefined` on a system without sockets in folders. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((visitor) => visitor.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(path, () => resolve(server.unref()))
  })
}
