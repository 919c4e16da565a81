import type { FollowOutput, RunHandle } from '../board/run-handle.ts'
import type { RunOutputs } from '../records/run-record.ts'
import type { OutputStream } from '../runner/command.ts'
import { createKeptOutput } from '../runner/output/kept-output.ts'

/** The output of a run in progress, for followers. */
export interface LiveOutput {
  /** Adds a piece. The result settles once there is room for more, if the command waits for readers. */
  add(stream: OutputStream, chunk: Uint8Array): void | Promise<void>
  /** The kept output so far. */
  outputs(): RunOutputs
  /** See {@link RunHandle.follow}. */
  follow(listener: FollowOutput): ReturnType<RunHandle['follow']>
  /** Ends the output with its final kept state. */
  end(outputs: RunOutputs): void
}

/** Options of {@link createLiveOutput}. */
export interface LiveOutputOptions {
  /** How many bytes of each stream to keep. */
  readonly limit: number
  readonly keep: 'head' | 'tail'
  /** Whether the command waits for slow readers; otherwise they miss output. */
  readonly waits: boolean
  /** Called when a reader failed. It gets nothing more. */
  readonly onFailure: (error: unknown) => void
}

/** The most bytes held for one reader, besides one piece and the output kept at its start. */
const maxHeld = 256 * 1_024
/** The most pieces held, because small ones take memory too. */
const maxPieces = 256

/** A reader of the output. */
interface Follower {
  put(stream: OutputStream, chunk: Uint8Array): void
  readonly isFull: boolean
  /** Settles once there is room. */
  room(): Promise<void>
  /** Ends the output for this reader. */
  finish(): void
  stop(): void
  readonly done: Promise<void>
}

/** Creates a {@link LiveOutput} without output. */
export function createLiveOutput(options: LiveOutputOptions): LiveOutput {
  const { limit, keep, waits, onFailure } = options
  const followers = new Set<Follower>()
  let hasEnded = false
  const kept = { stdout: createKeptOutput(limit, keep), stderr: createKeptOutput(limit, keep) }
  let outputs = (): RunOutputs => ({
    stdout: kept.stdout.kept(),
    stderr: kept.stderr.kept(),
    keep,
  })

  return {
    add(stream, chunk) {
      kept[stream].add(chunk)
      for (const follower of followers) {
        if (waits || !follower.isFull) follower.put(stream, chunk)
      }
      const full = waits ? [...followers].filter((follower) => follower.isFull) : []
      if (full.length > 0) return Promise.all(full.map((one) => one.room())).then(() => {})
    },

    outputs: () => outputs(),

    follow(listener) {
      const follower = createFollower(listener, onFailure)
      const { stdout, stderr } = outputs()
      follower.put('stdout', stdout.bytes)
      follower.put('stderr', stderr.bytes)
      if (hasEnded) follower.finish()
      else followers.add(follower)
      const { done, stop } = follower
      void done.then(() => followers.delete(follower))
      return { done, stop }
    },

    end(final) {
      hasEnded = true
      outputs = () => final
      kept.stdout = kept.stderr = createKeptOutput(0, 'head')
      for (const follower of followers) follower.finish()
    },
  }
}

function createFollower(listener: FollowOutput, onFailure: (error: unknown) => void): Follower {
  const pieces: [stream: OutputStream, chunk: Uint8Array][] = []
  const waiting: (() => void)[] = []
  let held = 0
  let isReading = false
  let isOpen = true
  let isLast = false
  let settle = (): void => {}
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })

  const isFull = (): boolean => held >= maxHeld || pieces.length >= maxPieces

  const wake = (): void => {
    for (const go of waiting.splice(0)) go()
  }

  const stop = (): void => {
    isOpen = false
    pieces.length = 0
    held = 0
    wake()
    settle()
  }

  const read = async (): Promise<void> => {
    isReading = true
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      try {
        await listener(...piece)
      } catch (error) {
        if (isOpen) onFailure(error)
        return stop()
      }
      if (!isOpen) return
      held -= piece[1].length
      if (!isFull()) wake()
    }
    isReading = false
    if (isLast) stop()
  }

  return {
    done,
    stop,
    put(stream, chunk) {
      if (!isOpen || chunk.length === 0) return
      pieces.push([stream, chunk])
      held += chunk.length
      if (!isReading) void read()
    },
    get isFull() {
      return isFull()
    },
    room: () => new Promise((resolve) => waiting.push(resolve)),
    finish() {
      isLast = true
      if (!isReading) stop()
    },
  }
}
