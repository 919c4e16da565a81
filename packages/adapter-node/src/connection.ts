import type { IncomingMessage } from 'node:http'
import { clientCertificateOf, type ReceivedRequest } from '@gatehouse/core/adapter'

/** What a socket says of the other end. The address of a socket file is not reported; that of a closed socket is unknown. */
export function connectionOf(
  socket: IncomingMessage['socket'],
): Pick<ReceivedRequest, 'client' | 'secure'> {
  const { remoteAddress: address, remotePort: port } = socket
  const secure = 'encrypted' in socket && socket.encrypted === true
  if (address === undefined) return { client: socket.destroyed ? null : undefined, secure }
  return { client: { address, port, certificate: clientCertificateOf(socket) }, secure }
}
