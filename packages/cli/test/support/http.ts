import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request as it goes over the wire, without any cleaning or completion. */
export interface RawRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The response. Status 0: the connection was closed without one. */
export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * Sends one request unchanged.
 *
 * @throws {Error} if nothing listens there.
 */
export function send(port: number, raw: RawRequest, agent?: Agent): Promise<RawAnswer> {
  const { method, path, body } = raw
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { ...raw.headers }
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers,
      ...(agent === undefined ? {} : { agent }),
    })
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
      incoming.once('error', reject)
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') resolve({ status: 0, headers: {}, body: '' })
      else reject(error)
    })
    outgoing.end(body)
  })
}

/** A POST of a JSON value. */
export function jsonPost(path: string, value: unknown): RawRequest {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(value) }
}
