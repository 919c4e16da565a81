import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page of a foreign site. */
export interface ForeignPage {
  readonly url: string
  close(): Promise<void>
}

export async function serveForeignPage(html: string): Promise<ForeignPage> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections() // browsers keep theirs open
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
