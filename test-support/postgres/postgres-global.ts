import { createServer, type Server } from 'node:http'
import type { TestProject } from 'vitest/node'
import { findPostgres } from './postgres-binaries.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** The PostgreSQL of a test run, as its tests see it. */
export interface RunPostgres {
  /** An HTTP address that answers with the URL of the server; empty if PostgreSQL is missing for this platform. */
  readonly url: string
  /** Why PostgreSQL is missing; otherwise empty. */
  readonly missing: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: RunPostgres
  }
}

/** Offers one PostgreSQL to all tests of a run. It starts on the first request and ends with the run. */
export default async function offerPostgres(project: TestProject): Promise<() => Promise<void>> {
  const found = findPostgres()
  if ('missing' in found) {
    project.provide('postgres', { url: '', missing: found.missing })
    return async () => {}
  }
  let starting: Promise<PostgresServer> | undefined
  const desk = createServer((_request, response) => {
    // Tests kill programs, never the machine.
    starting ??= startPostgres({ syncs: false })
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  project.provide('postgres', { url: await listen(desk), missing: '' })
  return async () => {
    desk.close()
    desk.closeAllConnections()
    const server = await starting?.catch(() => undefined) // the request that started it got the error
    await server?.end()
  }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) {
        resolve(`http://127.0.0.1:${address.port}`)
      } else reject(new Error('a listening server has no port'))
    })
  })
}
