import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

let lastPort = 0

/** Listens on the port of the last server if that has stopped, so that an idle page finds the scripts it has loaded there. */
export async function listenAgain(server: Server): Promise<number> {
  try {
    await listen(server, lastPort)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await listen(server, 0)
  }
  lastPort = (server.address() as AddressInfo).port
  return lastPort
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
