import type { Services } from '../services.ts'
import { createApp } from './app.ts'

/** Sends a request to the app at a free port. */
export async function ask(services: Services, path: string, init: RequestInit): Promise<Response> {
  const server = createApp(services).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : ''
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { status, headers } = answer
    const body = await answer.arrayBuffer()
    return new Response(status === 204 ? null : body, { status, headers })
  } finally {
    server.close()
  }
}
