import { type RawAnswer, send } from './http.ts'
import { until } from './poll.ts'
import type { Server } from './server.ts'

/** The responses of a process to readers, without its own identity. */
type Answers = Readonly<Record<string, unknown>>

/** @throws {Error} if the status is not 200. */
export async function getJson(port: number, path: string): Promise<unknown> {
  const { status, body }: RawAnswer = await send(port, { method: 'GET', path })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  return JSON.parse(body)
}

/** The name of a process in its cluster, and those it lists. */
export async function peersOf(
  port: number,
): Promise<{ readonly name: string; readonly listed: readonly string[] }> {
  const { cluster } = (await getJson(port, '/api/v2/status')) as StatusBody
  return { name: cluster.name, listed: cluster.peers.map(({ name }) => name) }
}

interface StatusBody {
  readonly cluster: {
    readonly name: string
    readonly status: string
    readonly peers: readonly { readonly name: string }[]
  }
  readonly config: unknown
  readonly versionInfo: unknown
}

async function answersOf(port: number): Promise<Answers> {
  const [alerts, groups, receivers] = await Promise.all(
    ['alerts', 'alerts/groups', 'receivers'].map((path) => getJson(port, `/api/v2/${path}`)),
  )
  const silences = (await getJson(port, '/api/v2/silences')) as { readonly id: string }[]
  const { cluster, config, versionInfo } = (await getJson(port, '/api/v2/status')) as StatusBody
  return {
    alerts,
    groups,
    receivers,
    // Ties are in the order of arrival.
    silences: [...silences].sort((a, b) => (a.id < b.id ? -1 : 1)),
    status: { cluster: { peers: cluster.peers, status: cluster.status }, config, versionInfo },
  }
}

/**
 * Waits until all processes respond alike; returns how many attempts it took.
 *
 * @throws {Error} naming the difference after a minute.
 */
export async function haveSameAnswers(
  servers: readonly Server[],
): Promise<{ readonly looks: number }> {
  let looks = 0
  const look = async (): Promise<true> => {
    looks++
    const all = await Promise.all(servers.map(({ port }) => answersOf(port)))
    const [first = {}] = all
    for (const name of Object.keys(first)) {
      const texts = new Set(all.map((answers) => JSON.stringify(answers[name])))
      if (texts.size > 1) throw new Error(`${name} differ: ${texts.size} answers of ${all.length}`)
    }
    return true
  }
  await until('all processes give the same answers', look, { withinMs: 60_000 })
  return { looks }
}
