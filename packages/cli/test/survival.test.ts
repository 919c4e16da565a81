import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { until } from './support/poll.ts'
import { type Server, startGatehouse, temporaryFolder } from './support/server.ts'
import { integrityOf } from './support/sqlite-file.ts'

const config = `
route: { receiver: nobody, group_by: [owner] }
receivers: [ { name: nobody } ]
`
const kills = isWide ? 10 : 3

describe('gatehouse alertmanager on a SQLite file', () => {
  let folder: string
  let server: Server | undefined

  beforeEach(async () => {
    folder = await temporaryFolder()
  })
  afterEach(async () => {
    server?.kill('SIGKILL')
    await server?.exited
    server = undefined
    await rm(folder, { recursive: true, force: true })
  })

  it(`has everything it acknowledged after each of ${kills} SIGKILLs under load`, {
    timeout: 120_000,
  }, async () => {
    const ledger = new Ledger()
    for (let series = 1; series <= kills; series++) {
      server = await startGatehouse({ config, folder })
      await ledger.verify(server.port)
      const load = startLoad(ledger, {
        port: server.port,
        series,
        alertConnections: 4,
        silenceConnections: 3,
      })
      const moment = 50 + Math.random() * 450
      const begun = performance.now()
      await until(
        'the load is under way and the moment has come',
        () =>
          (load.answered() >= 50 &&
            ledger.silences.size > 10 * series &&
            performance.now() - begun >= moment) ||
          undefined,
        { everyMs: 1 },
      )
      server.kill('SIGKILL')
      expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
      await load.done
      const integrity = await integrityOf(join(folder, 'data'))
      expect(new Set(Object.values(integrity))).toEqual(new Set(['ok']))
    }
    server = await startGatehouse({ config, folder })
    await ledger.verify(server.port)
    expect(ledger.alerts.size).toBeGreaterThan(kills * 100)
    expect(ledger.silences.size).toBeGreaterThan(kills * 10)
    expect((await server.stop()).code).toBe(0)
  })

  it('answers requests in flight at SIGTERM, accepts nothing new, and exits with 0', {
    timeout: 120_000,
  }, async () => {
    const ledger = new Ledger()
    server = await startGatehouse({ config, folder })
    const { port } = server
    const load = startLoad(ledger, { port, series: 1, alertConnections: 4, silenceConnections: 2 })
    await until('the load is under way', () => (load.answered() >= 50 ? true : undefined))

    const begun = await Promise.all(['a', 'b', 'c', 'd'].map((id) => beginPost(port, id)))
    server.kill('SIGTERM')
    await until('nothing listens any more', async () =>
      (await isListening(port)) ? undefined : true,
    )
    for (const { body, outgoing } of begun) outgoing.end(body)
    expect(await Promise.all(begun.map(({ status }) => status))).toEqual([200, 200, 200, 200])
    expect(await server.exited).toEqual({ code: 0, signal: null })
    await load.done

    for (const { id, state } of begun)
      ledger.alerts.set(id, { acknowledged: state, asked: undefined })
    server = await startGatehouse({ config, folder })
    await ledger.verify(server.port)
  })
})

const endsAt = '2040-01-01T00:00:00.000Z'

/**
 * Begins a post of one alert and waits until the server has read its head, as its `100 Continue` shows. The body is not sent yet.
 */
async function beginPost(port: number, id: string) {
  const alert = { labels: { alertname: 'UnderWay', id }, annotations: { version: '1' }, endsAt }
  const body = JSON.stringify([alert])
  const outgoing: ClientRequest = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/v2/alerts',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
    agent: false,
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (incoming: IncomingMessage) => {
      incoming.resume()
      incoming.once('end', () => resolve(incoming.statusCode))
    })
  })
  // Awaited only after the body was sent; an earlier failure must not count as unhandled.
  status.catch(() => undefined)
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  return { id, body, outgoing, status, state: { version: 1, endsAt, over: false } }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ host: '127.0.0.1', port, path: '/-/healthy', agent: false })
    probe.once('response', (incoming) => {
      incoming.resume()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
    probe.end()
  })
}
