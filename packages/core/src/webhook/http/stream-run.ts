import type { Clock } from '../../time/clock.ts'
import type { OutputStream } from '../runner/command.ts'
import type { RunHandle } from '../runs/run-handle.ts'
import { createPacedStream } from './paced-stream.ts'
import { runFields } from './run-json.ts'

/** How the output of a run is written down while it comes. */
export interface StreamRunOptions {
  readonly clock: Clock
  /** `events`: Server-Sent Events with the facts of the run; `text`: the output and nothing else. */
  readonly format: 'events' | 'text'
  /** Which of the outputs are wanted. */
  readonly streams: readonly OutputStream[]
  /** Called when the client goes away before the end. */
  readonly onGone?: () => void
}

/** A client that reads slowly makes this much wait for it; then the command does. */
const mostHeld = 256 * 1024
/** What is put at once: as an event it may become six times as long. */
const pieceBytes = 32 * 1024
/** How often a silent stream of events shows that it is alive. */
const commentEveryMs = 15_000

type Encode = (stream: OutputStream, piece: Uint8Array) => Uint8Array

const encoder = new TextEncoder()

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
const event = (name: string, data: unknown): Uint8Array =>
  encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

/** Characters that a piece cuts in two are held back until the next one. */
function createEventEncoder(): { encode: Encode; rest(stream: OutputStream): Uint8Array } {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const eventOf = (stream: OutputStream, text: string): Uint8Array =>
    text === '' ? new Uint8Array(0) : event(stream, { text })
  return {
    encode: (stream, piece) => eventOf(stream, decoders[stream].decode(piece, { stream: true })),
    rest: (stream) => eventOf(stream, decoders[stream].decode()),
  }
}

/** The output of a run, from its beginning to its end, at the pace of whoever reads it. */
export function streamRun(run: RunHandle, options: StreamRunOptions): ReadableStream<Uint8Array> {
  const { clock, format, streams, onGone = () => {} } = options
  const events = format === 'events' ? createEventEncoder() : undefined
  let stop = (): void => {}
  const paced = createPacedStream(mostHeld, () => {
    stop()
    onGone()
  })
  const put = async (bytes: Uint8Array): Promise<void> => {
    if (bytes.length > 0) await paced.write(bytes)
  }
  const write = async (stream: OutputStream, chunk: Uint8Array): Promise<void> => {
    if (!streams.includes(stream)) return
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes)
      await put(events === undefined ? piece : events.encode(stream, piece))
    }
  }
  if (events !== undefined) void put(event('start', runFields(run.snapshot())))
  const following = run.follow(write)
  const stopComments = events === undefined ? () => {} : startComments(clock, paced)
  stop = () => {
    stopComments()
    following.stop()
  }
  const finish = async (): Promise<void> => {
    await following.done
    const ended = await run.ended
    stopComments()
    for (const stream of events === undefined ? [] : streams) {
      await put(events?.rest(stream) ?? new Uint8Array(0))
    }
    if (events !== undefined) void put(event('end', runFields(ended)))
    paced.close()
  }
  void finish()
  return paced.stream
}

/** Puts a comment whenever so much time has passed, unless the reader has enough to read. */
function startComments(
  clock: Clock,
  { hasRoom, write }: Pick<ReturnType<typeof createPacedStream>, 'hasRoom' | 'write'>,
): () => void {
  let cancel = (): void => {}
  const arm = (): void => {
    cancel = clock.setTimer(commentEveryMs, () => {
      if (hasRoom()) void write(encoder.encode(': still running\n\n'))
      arm()
    })
  }
  arm()
  return () => cancel()
}
