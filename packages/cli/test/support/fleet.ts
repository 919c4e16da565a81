import { Agent } from 'node:http'
import { startApi, startApis } from './api-server.ts'
import { type RawAnswer, type RawRequest, send } from './http.ts'
import type { Server } from './server.ts'

/** Asks one process after the other; undefined when one went away without a whole answer, and may have done what it was asked. */
export type AskFleet = (raw: RawRequest) => Promise<RawAnswer | undefined>

/** Processes of `gatehouse api` on one database, behind a client that asks them in turn. */
export interface Fleet {
  /** The live ones, unless some are being replaced. */
  readonly servers: readonly Server[]
  readonly ask: AskFleet
  /** Ends some by SIGKILL, those that have run longest, and starts as many others, which are asked once they are ready. */
  replace(count: number): Promise<void>
  /** Ends all by SIGKILL. */
  end(): Promise<void>
}

/** Options of {@link startFleet}. */
export interface FleetOptions {
  readonly size: number
  /** The section `storage` of the file. */
  readonly storage: Readonly<Record<string, unknown>>
  readonly folder: string
}

/** Starts so many processes at once. */
export async function startFleet({ size, ...options }: FleetOptions): Promise<Fleet> {
  /** One that was killed is asked until it is replaced: nobody tells the client. */
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
    throw new Error(`none of ${size} processes takes ${raw.method} ${raw.path}`)
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

/** `refused`: it was not asked. `dropped`: the connection ended before the answer did. */
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
