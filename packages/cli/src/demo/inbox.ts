import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhook notifications that keeps the last ones. */
export interface Inbox {
  readonly port: number
  close(): void
}

const maxMessages = 50
const maxBytes = 1_000_000

/** Listens on this machine. `GET` shows the messages; everything that is posted becomes one. */
export async function openInbox(port: number): Promise<Inbox> {
  const messages: string[] = []
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(messages.length === 0 ? 'No notification yet.\n' : messages.join('\n'))
      return
    }
    let body = ''
    for await (const chunk of request) {
      body += chunk
      if (body.length > maxBytes) return void response.writeHead(413).end()
    }
    messages.unshift(`${new Date().toISOString()} ${request.url}\n${messageOf(body)}`)
    messages.splice(maxMessages)
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A line for each alert of a notification. */
function messageOf(body: string): string {
  try {
    const { alerts = [] }: { alerts?: readonly Notified[] } = JSON.parse(body)
    return alerts
      .map(({ status, labels, annotations }) => {
        return `  ${status} ${labels?.alertname}: ${annotations?.summary ?? ''}\n`
      })
      .join('')
  } catch {
    return '  not the body of a notification\n'
  }
}

interface Notified {
  readonly status?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}
