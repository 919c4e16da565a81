import type { IncomingMessage } from 'node:http'
import { clientCertificateOf, type ReceivedRequest } from '@gatehouse/core/adapter'

/** The client of a socket: `undefined` if the socket is a file, `null` if it has closed. */
export function connectionOf(
  socket: IncomingMessage['socket'],
): Pick<ReceivedRequest, 'client' | 'secure'> {
  const { remoteAddress: address, remotePort: port } = socket
  const secure = 'encrypted' in socket && socket.encrypted === true
  if (address === undefined) return { client: socket.destroyed ? null : undefined, secure }
  return { client: { address, port, certificate: clientCertificateOf(socket) }, secure }
}
