import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a server of a test got. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How it is answered; `undefined` for never. */
export interface FixedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server of a test, at its own address. */
export interface TestServer {
  readonly url: string
  readonly received: ReceivedRequest[]
  close(): Promise<void>
}

/** Serves on 127.0.0.1. */
export async function startTestServer(
  answer: (request: ReceivedRequest) => FixedAnswer | undefined,
): Promise<TestServer> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      const given = answer(one)
      if (given === undefined) return
      response.writeHead(given.status ?? 200, given.headers)
      response.end(given.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
