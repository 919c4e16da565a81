import type { RunOutputs } from '../records/run-record.ts'
import type { OutputStream } from '../runner/command.ts'
import { createKeptOutput } from '../runner/output/kept-output.ts'
import type { FollowOutput, RunHandle } from './run-handle.ts'

/** What a run has written, for those who look at it while it comes. */
export interface LiveOutput {
  /** A piece has come. The answer settles once there is room for more, where the command shall wait for its readers. */
  add(stream: OutputStream, chunk: Uint8Array): void | Promise<void>
  /** What is kept so far. */
  outputs(): RunOutputs
  /** See {@link RunHandle.follow}. */
  follow(listener: FollowOutput): ReturnType<RunHandle['follow']>
  /** Nothing more comes, and this is what is kept of it. */
  end(outputs: RunOutputs): void
}

/** Options of {@link createLiveOutput}. */
export interface LiveOutputOptions {
  /** How many bytes of each stream are kept. */
  readonly limit: number
  readonly keep: 'head' | 'tail'
  /** Whether the command waits for readers that are slow; otherwise they miss what they cannot take. */
  readonly waits: boolean
  /** Told when a reader failed; it is then given nothing more. */
  readonly onFailure: (error: unknown) => void
}

/** What is held for one reader at most, in bytes, beside one piece and what was kept when it came. */
const mostHeld = 256 * 1_024
/** In so many pieces at most: small ones take memory too. */
const mostPieces = 256

/** Somebody who reads. */
interface Follower {
  put(stream: OutputStream, chunk: Uint8Array): void
  readonly isFull: boolean
  /** Settles once it is full no longer. */
  room(): Promise<void>
  /** Nothing more comes. */
  finish(): void
  stop(): void
  readonly done: Promise<void>
}

/** A {@link LiveOutput} of a run that has written nothing yet. */
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

  const isFull = (): boolean => held >= mostHeld || pieces.length >= mostPieces

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
