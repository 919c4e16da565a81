/** An event of a stream. */
export interface ServerSentEvent {
  /** Its name (default `message`). */
  readonly event: string
  readonly data: string
}

/**
 * The events of an answer, until it ends. Leaving the loop ends the request.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* serverSentEvents({ body }: Response): AsyncGenerator<ServerSentEvent> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** The event of a block of lines; comments have none. */
function eventOf(block: string): ServerSentEvent | undefined {
  const fieldsOf = (name: string): readonly string[] =>
    block
      .split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = fieldsOf('data')
  return data.length === 0
    ? undefined
    : { event: fieldsOf('event').at(-1) ?? 'message', data: data.join('\n') }
}
