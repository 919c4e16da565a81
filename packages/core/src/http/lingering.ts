/** The part of Node's `IncomingMessage` of HTTP/1 that {@link lingering} uses. */
export interface UnreadRequest {
  readonly complete: boolean
  readonly headers: { readonly expect?: string | undefined }
  removeAllListeners(event: 'data'): unknown
  once(event: 'end' | 'close', listener: () => void): unknown
  resume(): unknown
}

/** How long a client may keep sending a body that nobody reads, once it has its answer. */
const lingerMs = 500

/**
 * Whether a request was answered before its body arrived. A client that waits for `100 Continue` sends no body after a refusal.
 */
export function isStillSending({ complete, headers }: UnreadRequest): boolean {
  return complete === false && headers.expect === undefined
}

/** Reads and drops the rest of a body. Resolves once it has ended, or after 500 ms. */
export function bodyEnd(incoming: UnreadRequest): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lingerMs)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    incoming.once('end', end)
    incoming.once('close', end)
    // A stream that nobody reads any more may still stop the flow.
    incoming.removeAllListeners('data')
    incoming.resume()
  })
}

/**
 * A response that ends only after the body of its request has arrived, or after 500 ms. Where the connection closes behind
 * the response, Node destroys it at that end. The system resets a connection that still receives data, and a client that sends
 * its whole body before it reads would never see the refusal. What the client gets is complete before.
 *
 * @see RFC 9112, section 9.6
 */
export function lingering(response: Response, incoming: UnreadRequest): Response {
  if (!isStillSending(incoming) || response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        await bodyEnd(incoming)
        controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}
