/** A stream with backpressure. */
export interface PacedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** Writes bytes; settles once there is room for more, or the reader is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Whether there is room for more. */
  hasRoom(): boolean
  /** Ends the stream. Later writes are dropped. */
  close(): void
}

/**
 * Creates a stream that buffers `maxHeld` bytes, plus one pending write of each writer.
 *
 * @param onGone is called when the reader disconnects, which ends the stream.
 */
export function createPacedStream(maxHeld: number, onGone: () => void): PacedStream {
  let isOpen = true
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const waiting: (() => void)[] = []
  const wake = (): void => {
    for (const go of waiting.splice(0)) go()
  }
  const hasRoom = (): boolean => (controller?.desiredSize ?? 0) > 0
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull: wake,
      cancel() {
        isOpen = false
        wake()
        onGone()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxHeld }),
  )
  return {
    stream,
    hasRoom: () => isOpen && hasRoom(),
    async write(bytes) {
      if (!isOpen) return
      controller?.enqueue(bytes)
      if (!hasRoom()) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    close() {
      if (isOpen) controller?.close()
      isOpen = false
      wake()
    },
  }
}
