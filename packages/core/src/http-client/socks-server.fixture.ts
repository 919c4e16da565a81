import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A SOCKS 5 proxy that connects to one port of the loopback interface. @see RFC 1928, RFC 1929 */
export async function socksServer(
  leadsTo: string,
): Promise<{ readonly host: string; readonly requests: readonly string[] }> {
  const { port: targetPort } = new URL(leadsTo)
  const requests: string[] = []
  const serve = async (socket: Socket): Promise<void> => {
    await nextChunk(socket)
    socket.write(Buffer.of(5, 2))
    const login = await nextChunk(socket)
    const nameEnd = 2 + (login[1] ?? 0)
    const credentials = `${login.subarray(2, nameEnd)}:${login.subarray(nameEnd + 1)}`
    socket.write(Buffer.of(1, 0))
    const wanted = await nextChunk(socket)
    const hostEnd = 5 + (wanted[4] ?? 0)
    requests.push(`${credentials} ${wanted.subarray(5, hostEnd)}:${wanted.readUInt16BE(hostEnd)}`)
    const tunnel = connect(Number(targetPort), '127.0.0.1', () => {
      socket.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0))
      tunnel.pipe(socket).pipe(tunnel)
    })
    socket.on('close', () => tunnel.destroy())
  }
  const server = createServer((socket) => {
    serve(socket).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const nextChunk = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    socket.once('data', resolve)
    socket.once('error', reject)
    socket.once('close', reject)
  })
