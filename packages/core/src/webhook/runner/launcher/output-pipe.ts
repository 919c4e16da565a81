import type { OutputReader } from '../output/read-output.ts'
import { closePipe, openPipe, readPipe } from '../pipes/files.ts'

/** The content read from a pipe. */
export interface PipeContent {
  readonly bytes: Uint8Array
  /** Whether no process has it open for writing. */
  readonly hasEnded: boolean
}

/** The named pipe for one of the outputs of a launcher's commands. */
export interface OutputPipe {
  /** Reads what is there; after closing, nothing and the end. */
  read(): PipeContent
  close(): void
}

/** Shared, because one read ends before the next begins. */
const scratch = Buffer.allocUnsafeSlow(65_536)
const nothing = new Uint8Array()
/** More than a pipe holds, so that reading ends even if a process keeps writing. */
const maxReads = 4

/** Opens the pipe at a path. */
export function openOutputPipe(path: string): OutputPipe {
  let fd: number | undefined = openPipe(path, 'read')
  return {
    read() {
      let bytes = nothing
      if (fd === undefined) return { bytes, hasEnded: true }
      for (let reads = 0; reads < maxReads; reads++) {
        const length = readPipe(fd, scratch)
        if (typeof length === 'string') return { bytes, hasEnded: length === 'ended' }
        const piece = scratch.subarray(0, length)
        bytes = bytes.length === 0 ? Uint8Array.from(piece) : Buffer.concat([bytes, piece])
      }
      return { bytes, hasEnded: false }
    },
    close() {
      if (fd !== undefined) closePipe(fd)
      fd = undefined
    },
  }
}

/** The delay before the next poll of an empty pipe, in ms: the first, and the longest. */
const firstWaitMs = 1
const maxWaitMs = 25

/** Polls at a rate that adapts to the activity. */
export interface Watch {
  stop(): void
}

/** @param look returns whether there was anything, or `done` to stop. */
export function watchPipe(look: () => boolean | 'done', waitMs: number = firstWaitMs): Watch {
  let nextMs = waitMs
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  const again = (): void => {
    const found = look()
    if (found === 'done' || isStopped) return
    if (found) {
      nextMs = firstWaitMs
      immediate = setImmediate(again)
    } else {
      timer = setTimeout(again, nextMs)
      nextMs = Math.min(2 * nextMs, maxWaitMs)
    }
  }
  let isStopped = false
  timer = setTimeout(again, nextMs)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}

/** Reads a pipe until it ends, as an {@link OutputReader}. */
export function readPipeToEnd(pipe: OutputPipe, take: (bytes: Uint8Array) => void): OutputReader {
  let settle = (): void => {}
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })
  const watch = watchPipe(() => {
    const { bytes, hasEnded } = pipe.read()
    if (bytes.length > 0) take(bytes)
    if (!hasEnded) return bytes.length > 0
    settle()
    return 'done'
  })
  return {
    isWaiting: false,
    done,
    stop() {
      watch.stop()
      settle()
    },
  }
}
