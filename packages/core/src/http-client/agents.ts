import type { ProxyConfig, TlsConfig } from './http-config.ts'
import type { ReadFile } from './read-secret.ts'
import { isSameTls, readTlsOptions, type TlsOptions } from './tls-options.ts'
import { type Agent, type AgentModule, createAgent, type UndiciModule } from './undici.ts'

/** How to connect to a server. */
export interface Connection extends ProxyConfig {
  readonly tls_config?: TlsConfig
}

/** The connection that an agent is for. */
export interface AgentPurpose {
  readonly connection: Connection
  readonly proxy: URL | undefined
  readonly isSecure: boolean
}

/** A cache of agents. */
export interface Agents {
  /** The agent for requests that need neither a proxy nor their own TLS options. */
  plainAgent(undici: AgentModule): Agent
  /**
   * The agent for a connection: the cached one, unless a file that it was created from has changed. Proxies need the whole package.
   */
  agentFor(undici: AgentModule | UndiciModule, purpose: AgentPurpose): Promise<Agent>
  /** Closes idle connections at once, and others when they become idle. */
  close(): Promise<void>
}

interface Kept {
  readonly agent: Agent
  readonly tls: TlsOptions
}

/** The number of configurations whose connections are kept; the least recently used is closed first. */
const maxConnections = 100

/** Creates an empty cache. */
export function createAgents(readFile: ReadFile): Agents {
  /** By configuration, the most recently used one last; then by proxy. A configuration has at most four agents. */
  const kept = new Map<Connection, Map<string, Kept>>()
  const closing = new Set<Promise<unknown>>()
  let plain: Agent | undefined

  const retire = (agent: Agent): void => {
    const closed: Promise<unknown> = agent.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const touch = (connection: Connection): Map<string, Kept> => {
    const agents = kept.get(connection) ?? new Map<string, Kept>()
    kept.delete(connection)
    kept.set(connection, agents)
    const [oldest] = kept
    if (kept.size > maxConnections && oldest !== undefined) {
      kept.delete(oldest[0])
      for (const { agent } of oldest[1].values()) retire(agent)
    }
    return agents
  }

  return {
    plainAgent(undici) {
      plain ??= createAgent(undici, { isSecure: false, tls: {}, connectHeaders: {} })
      return plain
    },
    async agentFor(undici, { connection, proxy, isSecure }) {
      const { tls_config, proxy_connect_header } = connection
      const tls = tls_config === undefined ? {} : await readTlsOptions(tls_config, readFile)
      const agents = touch(connection)
      const key = `${isSecure} ${proxy?.href ?? ''}`
      const known = agents.get(key)
      if (known !== undefined && isSameTls(known.tls, tls)) return known.agent
      const connectHeaders = Object.fromEntries(
        Array.from(proxy_connect_header, ([name, values]) => [
          name,
          values.map((value) => value.reveal()),
        ]),
      )
      const agent = createAgent(undici, {
        isSecure,
        tls,
        connectHeaders,
        ...(proxy === undefined ? {} : { proxy }),
      })
      agents.set(key, { agent, tls })
      if (known !== undefined) retire(known.agent)
      return agent
    },
    async close() {
      for (const agents of kept.values()) for (const { agent } of agents.values()) retire(agent)
      if (plain !== undefined) retire(plain)
      kept.clear()
      plain = undefined
      await Promise.all(closing)
    },
  }
}
