import { createServer, type Server, Socket } from 'node:net'
import { lineIn, removeAbandoned } from './abandoned-folders.ts'
import { closePipe, makeFolder, openReadingEnds, remove, unname } from './files.ts'
import { makePipes, type RunQuietly } from './make-pipes.ts'

/** A pipe that a command writes to. */
export interface CommandPipe {
  /** The command's end, open in this process until {@link CommandPipe.handOver}. */
  readonly writer: number
  /** This process's end. */
  readonly source: Socket
  /** Closes the command's end in this process, once the command has it or never will. */
  handOver(): void
}

/**
 * Pipes for the outputs of commands. Node.js itself connects commands with sockets, but a command cannot open `/dev/stdout` if it
 * is a socket.
 */
export interface PipeStock {
  /**
   * Takes this many pipes; `undefined` if none can be created.
   *
   * @throws the error of the system if too many files are open.
   */
  take(count: number): Promise<readonly CommandPipe[] | undefined>
  close(): void
}

/** Options of {@link createPipeStock}. */
export interface PipeStockOptions {
  /** Candidate parents of the folder with the pipes, the best first. */
  readonly parents: readonly string[]
  readonly run: RunQuietly
}

/** How many pipes to create at once, and the stock below which more are created ahead of use. */
const batchSize = 128
const lowMark = 32

/**
 * Creates a {@link PipeStock} that creates named pipes in advance. Each is unlinked when opened, and used once, so that leftovers
 * of one command cannot read or write the pipes of another.
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

/** Marks a folder as in use for other processes; `undefined` on a system without sockets in folders. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((visitor) => visitor.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(path, () => resolve(server.unref()))
  })
}
