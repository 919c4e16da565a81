import { request } from 'node:http'

/** A request of a test. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  /** An empty text removes a header. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged. The `content-type` is `application/json` by default. */
  readonly body?: string | Uint8Array
}

/** The response to a request. */
export interface ReceivedResponse {
  readonly status: number
  header(name: string): string | undefined
  /** All values of a repeatable header. */
  values(name: string): readonly string[]
  readonly text: string
}

/** Sends a request unchanged, follows no redirect, and collects the response. */
export function exchange(port: number, sent: SentRequest): Promise<ReceivedResponse> {
  const { method, path, body } = sent
  const headers: Record<string, string | number> = {}
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = Buffer.byteLength(body)
  }
  for (const [name, value] of Object.entries(sent.headers ?? {})) {
    if (value === '') delete headers[name.toLowerCase()]
    else headers[name.toLowerCase()] = value
  }
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, method, path, headers, agent: false }
    const outgoing = request(target, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const { statusCode = 0 } = incoming
        const header = (name: string): string | undefined => {
          const value = incoming.headers[name.toLowerCase()]
          return Array.isArray(value) ? value.join(', ') : value
        }
        const values = (name: string): readonly string[] =>
          [incoming.headers[name.toLowerCase()] ?? []].flat()
        resolve({ status: statusCode, header, values, text: Buffer.concat(chunks).toString() })
      })
    })
    // A server may close the connection while a refused body is still being sent. The response has arrived by then.
    outgoing.on('socket', (socket) => socket.on('error', () => {}))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
