/** A stream that is written as fast as it is read. */
export interface PacedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** Puts bytes; settles once there is room for more, or nobody reads any longer. */
  write(bytes: Uint8Array): Promise<void>
  /** Whether more could be put at once. */
  hasRoom(): boolean
  /** Ends the stream. What is written afterwards is dropped. */
  close(): void
}

/**
 * A stream that holds `mostHeld` bytes and whatever its writers, each waiting for the one before, put beyond.
 *
 * @param onGone is called when its reader has gone, which ends it.
 */
export function createPacedStream(mostHeld: number, onGone: () => void): PacedStream {
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
    new ByteLengthQueuingStrategy({ highWaterMark: mostHeld }),
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
