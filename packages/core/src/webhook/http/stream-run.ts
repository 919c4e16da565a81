import { commentBytes, eventBytes } from '../../http/event-stream.ts'
import type { Clock } from '../../time/clock.ts'
import type { RunHandle } from '../board/run-handle.ts'
import type { OutputStream } from '../runner/command.ts'
import { createPacedStream } from './paced-stream.ts'
import { runFields } from './run-json.ts'

/** How to format the output of a run. */
export interface StreamRunOptions {
  readonly clock: Clock
  /** `events`: Server-Sent Events with the facts of the run; `text`: only the output. */
  readonly format: 'events' | 'text'
  /** The requested outputs. */
  readonly streams: readonly OutputStream[]
  /** Called when the client disconnects before the end. */
  readonly onGone?: () => void
}

/** The most bytes buffered for a slow client; beyond that, the command waits. */
const maxHeld = 256 * 1024
/** The bytes written at once: as an event they may become six times as long. */
const pieceBytes = 32 * 1024
/** How often an idle stream of events sends a comment. */
const commentEveryMs = 15_000

type Encode = (stream: OutputStream, piece: Uint8Array) => Uint8Array

const event = (name: string, data: unknown): Uint8Array => eventBytes(name, JSON.stringify(data))

/** Holds back a character that is split between two pieces. */
function createEventEncoder(): { encode: Encode; rest(stream: OutputStream): Uint8Array } {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const eventOf = (stream: OutputStream, text: string): Uint8Array =>
    text === '' ? new Uint8Array(0) : event(stream, { text })
  return {
    encode: (stream, piece) => eventOf(stream, decoders[stream].decode(piece, { stream: true })),
    rest: (stream) => eventOf(stream, decoders[stream].decode()),
  }
}

/** Streams the output of a run from its beginning to its end, at the pace of its reader. */
export function streamRun(run: RunHandle, options: StreamRunOptions): ReadableStream<Uint8Array> {
  const { clock, format, streams, onGone = () => {} } = options
  const events = format === 'events' ? createEventEncoder() : undefined
  let stop = (): void => {}
  const paced = createPacedStream(maxHeld, () => {
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

/** Sends a comment at this interval, unless the reader has unread data. */
function startComments(
  clock: Clock,
  { hasRoom, write }: Pick<ReturnType<typeof createPacedStream>, 'hasRoom' | 'write'>,
): () => void {
  let cancel = (): void => {}
  const arm = (): void => {
    cancel = clock.setTimer(commentEveryMs, () => {
      if (hasRoom()) void write(commentBytes('still running'))
      arm()
    })
  }
  arm()
  return () => cancel()
}
