import { createServer, request as sendRequest } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A request that a proxy received. */
export interface ProxiedRequest {
  readonly method: string
  /** The host and port for a tunnel, such as `example.org:443`; otherwise a whole URL. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Options of {@link proxyServer}. */
export interface ProxyServerOptions {
  /** Makes the proxy use TLS. */
  tls?: TlsOptions
  /** The status of the response to a tunnel request (default 200). */
  status?: number
}

/** A proxy that connects to one port of the loopback interface, whatever host the client requests. */
export async function proxyServer(
  leadsTo: string,
  { tls, status = 200 }: ProxyServerOptions = {},
): Promise<{ readonly url: string; readonly requests: readonly ProxiedRequest[] }> {
  const { port: targetPort } = new URL(leadsTo)
  const requests: ProxiedRequest[] = []
  const server = tls === undefined ? createServer() : createTlsServer(tls)
  server.on('connect', (incoming, socket) => {
    requests.push({ method: 'CONNECT', target: incoming.url ?? '', headers: incoming.headers })
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const tunnel = connect(Number(targetPort), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
    socket.on('close', () => tunnel.destroy())
  })
  server.on('request', (incoming, response) => {
    const { method = '', url: target = '', headers } = incoming
    requests.push({ method, target, headers })
    const { pathname, search } = new URL(target)
    const options = {
      port: targetPort,
      host: '127.0.0.1',
      method,
      path: pathname + search,
      headers,
    }
    const onward = sendRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, requests }
}
