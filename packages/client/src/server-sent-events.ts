/** An event of a stream. */
export interface ServerSentEvent {
  /** Its name (default `message`). */
  readonly event: string
  readonly data: string
}

/** The media type of such streams. */
export const eventStream = 'text/event-stream'

/** Whether an answer is a stream of events. */
export const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && headers.get('content-type')?.startsWith(eventStream) === true

/** What else a stream tells. */
export interface StreamFollower {
  /** Something has come, perhaps only a comment: the connection lives. */
  onBytes?(): void
  /** The position of the client, for `Last-Event-ID`. */
  onId?(id: string): void
}

/**
 * The events of an answer, until it ends. Leaving the loop ends the request.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* serverSentEvents(
  { body }: Response,
  { onBytes, onId }: StreamFollower = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      onBytes?.()
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const { id, event } = eventOf(block)
        if (event !== undefined) yield event
        if (id !== undefined) onId?.(id)
      }
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** The event and the id of a block of lines; comments have neither. */
function eventOf(block: string): { event: ServerSentEvent | undefined; id: string | undefined } {
  const fieldsOf = (name: string): readonly string[] =>
    block
      .split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = fieldsOf('data')
  const id = fieldsOf('id').at(-1)
  if (data.length === 0) return { event: undefined, id }
  return { event: { event: fieldsOf('event').at(-1) ?? 'message', data: data.join('\n') }, id }
}
