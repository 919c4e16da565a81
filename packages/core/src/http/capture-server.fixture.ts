import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A request as it arrived. */
export interface CapturedRequest {
  readonly method: string
  /** With its query: `/w?x=1`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An answer (default: status 200 and no body). */
export interface GivenAnswer {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A server that records its requests. */
export interface CaptureServer {
  /** Such as `http://127.0.0.1:40000`. */
  readonly url: string
  /** In order of arrival. */
  readonly requests: readonly CapturedRequest[]
}

/**
 * Starts a server on the loopback interface. It ends with the test that called this.
 *
 * @param answer returns the answer to a request; it may never settle.
 * @param tls makes it an HTTPS server.
 */
export async function captureServer(
  answer: (request: CapturedRequest) => GivenAnswer | Promise<GivenAnswer> = () => ({}),
  tls?: TlsOptions,
): Promise<CaptureServer> {
  const requests: CapturedRequest[] = []
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming
    const body = await readText(incoming).catch(() => undefined)
    if (body === undefined) return // The client went away.
    const request = { method, path, headers, body }
    requests.push(request)
    const { status = 200, headers: given = {}, body: answered = '' } = await answer(request)
    response.writeHead(status, given).end(answered)
  }
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, requests }
}
