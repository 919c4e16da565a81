/** An event of a stream, with the last position before or at it. */
export interface ReadEvent {
  readonly event: string
  readonly data: string
  readonly position: string | undefined
}

/** Reads the events of a stream that a hub wrote. Leaving the loop cancels the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ReadEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let position: string | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (.+)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined && data !== undefined) yield { event, data, position }
        else if (block.startsWith('id: ')) position = block.slice('id: '.length)
      }
    }
  } finally {
    await reader.cancel()
  }
}
