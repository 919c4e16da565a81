import { Agent } from 'node:http'
import { startApi, startApis } from './api-server.ts'
import { type RawAnswer, type RawRequest, send } from './http.ts'
import type { Server } from './server.ts'

/**
 * Sends a request to one process after the other. `undefined` if a connection broke before the whole response arrived; the
 * process may have done the work.
 */
export type AskFleet = (raw: RawRequest) => Promise<RawAnswer | undefined>

/** Processes of `gatehouse api` on one database, behind a client that uses them in turn. */
export interface Fleet {
  /** The live processes, unless some are being replaced. */
  readonly servers: readonly Server[]
  readonly ask: AskFleet
  /** Kills the oldest processes by SIGKILL and starts as many others, which get requests once they are ready. */
  replace(count: number): Promise<void>
  /** Kills all by SIGKILL. */
  end(): Promise<void>
}

/** Options of {@link startFleet}. */
export interface FleetOptions {
  readonly size: number
  /** The section `storage` of the file. */
  readonly storage: Readonly<Record<string, unknown>>
  readonly folder: string
}

/** Starts this many processes at once. */
export async function startFleet({ size, ...options }: FleetOptions): Promise<Fleet> {
  /** The client keeps using a killed process until it is replaced, as a real one would. */
  const servers = await startApis(size, options)
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let oldest = 0

  const ask: AskFleet = async (raw) => {
    turn = (turn + 1) % size
    const first = turn
    for (let next = first; next < first + size; next++) {
      const answer = await answerOf(servers[next % size]?.port ?? 0, raw, agent)
      const mayHaveBeenDone = answer === 'dropped' && raw.method !== 'GET'
      if (mayHaveBeenDone) return undefined
      if (typeof answer === 'object') return answer
    }
    throw new Error(`none of ${size} processes answered ${raw.method} ${raw.path}`)
  }

  const replaceOne = async (): Promise<void> => {
    const place = oldest
    oldest = (oldest + 1) % size
    const killed = servers[place]
    killed?.kill('SIGKILL')
    const [server] = await Promise.all([startApi(options), killed?.exited])
    servers[place] = server
  }

  return {
    servers,
    ask,
    async replace(count) {
      await Promise.all(Array.from({ length: count }, replaceOne))
    },
    async end() {
      agent.destroy()
      for (const server of servers) server.kill('SIGKILL')
      await Promise.all(servers.map(({ exited }) => exited))
    },
  }
}

/** `refused`: the request was not received. `dropped`: the connection ended before the response did. */
async function answerOf(
  port: number,
  raw: RawRequest,
  agent: Agent,
): Promise<RawAnswer | 'refused' | 'dropped'> {
  try {
    const answer = await send(port, raw, agent)
    return answer.status === 0 ? 'dropped' : answer
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ECONNREFUSED') return 'refused'
    if (code === 'ECONNRESET' || code === 'EPIPE') return 'dropped'
    throw error
  }
}
