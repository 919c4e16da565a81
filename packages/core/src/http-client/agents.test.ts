import { describe, expect, it, onTestFinished } from 'vitest'
import { type Agents, type Connection, createAgents } from './agents.ts'
import { createCertificate } from './certificate.fixture.ts'
import { httpConfigOf } from './client.fixture.ts'
import { type Agent, loadUndici } from './undici.ts'

const undici = await loadUndici()

function agentsOfTest(readFile: (path: string) => Promise<string> = async () => ''): {
  readonly agents: Agents
  agentFor(connection: Connection, proxy?: string): Promise<Agent>
} {
  const agents = createAgents(readFile)
  onTestFinished(() => agents.close())
  return {
    agents,
    agentFor: (connection, proxy) =>
      agents.agentFor(undici, {
        connection,
        isSecure: true,
        proxy: proxy === undefined ? undefined : new URL(proxy),
      }),
  }
}

/** Whether an agent accepts no more requests. */
const isClosed = (agent: Agent): boolean => 'closed' in agent && agent.closed === true

describe('agentFor', () => {
  it('returns the same agent for the same configuration and proxy', async () => {
    const { agentFor } = agentsOfTest()
    const [a, b] = [httpConfigOf({}), httpConfigOf({})]
    const agent = await agentFor(a)
    expect(await agentFor(a)).toBe(agent)
    expect(await agentFor(b)).not.toBe(agent)
    const proxied = await agentFor(a, 'http://p.example/')
    expect(proxied).not.toBe(agent)
    expect(await agentFor(a, 'http://p.example/')).toBe(proxied)
    expect(await agentFor(a)).toBe(agent)
  })

  it('replaces an agent whose certificate was renewed', async () => {
    let content = createCertificate('a').cert
    const { agentFor } = agentsOfTest(async () => content)
    const connection = httpConfigOf({ tls_config: { ca_file: '/ca' } })
    const agent = await agentFor(connection)
    content = createCertificate('b').cert
    const next = await agentFor(connection)
    expect([isClosed(agent), isClosed(next)]).toEqual([true, false])
  })

  it('keeps the agents of the hundred most recently used configurations', async () => {
    const { agentFor } = agentsOfTest()
    const connections = Array.from({ length: 101 }, () => httpConfigOf({}))
    const [first, second] = connections
    if (first === undefined || second === undefined) throw new RangeError('too few')
    const [firstAgent, secondAgent] = [await agentFor(first), await agentFor(second)]
    for (const connection of connections.slice(2, 100)) await agentFor(connection)
    await agentFor(first)
    for (const connection of connections.slice(100)) await agentFor(connection)
    expect([isClosed(firstAgent), isClosed(secondAgent)]).toEqual([false, true])
    expect(await agentFor(first)).toBe(firstAgent)
    expect(await agentFor(second)).not.toBe(secondAgent)
  })
})

describe('close', () => {
  it('closes all agents; later ones are new', async () => {
    const { agents, agentFor } = agentsOfTest()
    const connection = httpConfigOf({})
    const all = [await agentFor(connection), await agentFor(connection, 'http://p.example/')]
    await agents.close()
    expect(all.map(isClosed)).toEqual([true, true])
    expect(isClosed(await agentFor(connection))).toBe(false)
  })
})
