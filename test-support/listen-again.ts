import type { Server } from 'node:http'
import { freePort } from './free-port.mjs'

let lastPort: number | undefined

/** Listens on the port of the last server if that has stopped, so that an idle page finds the scripts it has loaded there. */
export async function listenAgain(server: Server): Promise<number> {
  try {
    lastPort ??= await freePort()
    await listen(server, lastPort)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    lastPort = await freePort()
    await listen(server, lastPort)
  }
  return lastPort
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
