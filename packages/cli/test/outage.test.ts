import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { runSql } from '../../../test-support/postgres/postgres-database.ts'
import {
  type PostgresServer,
  startPostgres,
} from '../../../test-support/postgres/postgres-server.ts'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { haveSameAnswers } from './support/answers.ts'
import { launchApi, startApis } from './support/api-server.ts'
import { createFleetLoad, type FleetLoad } from './support/fleet-load.ts'
import { send } from './support/http.ts'
import { Ledger } from './support/ledger.ts'
import { createPatientClient, type PatientClient } from './support/patient-client.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder, whenReady } from './support/server.ts'

const maxConnections = 4

/** The kinds of outage of the database, and how each ends. */
const outages = {
  stopped: ['stop', 'start'],
  killed: ['kill', 'start'],
  paused: ['pause', 'resume'],
} as const
const kinds = ['stopped', 'killed', 'paused'] as const

describeWithPostgres('two processes of gatehouse api, while their PostgreSQL is away', () => {
  const ledger = new Ledger()
  let folder = ''
  let postgres: PostgresServer
  let servers: readonly Server[] = []
  let client: PatientClient
  let load: FleetLoad
  let filesAtFirst: readonly number[] = []

  const storage = () => ({
    postgres: postgres.url,
    max_connections: maxConnections,
    timeout: '1s',
  })

  beforeAll(async () => {
    folder = await temporaryFolder()
    postgres = await startPostgres()
    servers = await startApis(2, { folder, storage: storage() })
    filesAtFirst = await openFiles(servers)
    client = createPatientClient(servers.map(({ port }) => port))
    load = createFleetLoad(ledger, {
      ask: client.ask,
      alerts: { owners: 3, perRound: 50 },
      silences: { owners: 2, perRound: 3 },
    })
  })
  afterAll(async () => {
    client?.end()
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(({ exited }) => exited))
    await rm(folder, { recursive: true, force: true })
    await postgres?.end()
  })

  const statusesOf = (path: string): Promise<readonly number[]> =>
    Promise.all(servers.map(async ({ port }) => (await send(port, { method: 'GET', path })).status))

  const areReady = async (status: number): Promise<void> => {
    await until(`/-/ready of both is ${status}`, async () => {
      const statuses = await statusesOf('/-/ready')
      return statuses.every((one) => one === status) || undefined
    })
  }

  const count = async (what: string, counted: () => number): Promise<void> => {
    const enough = counted() + 10
    await until(`10 more requests are ${what}`, () => counted() >= enough || undefined)
  }

  const acknowledged = (): Promise<void> => count('acknowledged', load.acknowledged)

  /** Writes and reads while `during` runs. */
  async function underLoad(during: () => Promise<void>): Promise<void> {
    let isOver = false
    const whileOn = async (turn: () => Promise<unknown>): Promise<void> => {
      while (!isOver) await turn()
    }
    const readers = ['alerts', 'alerts/groups', 'silences', 'status'].map((path) =>
      whileOn(() => client.ask({ method: 'GET', path: `/api/v2/${path}` })),
    )
    const clients = Promise.all([whileOn(load.run), ...readers])
    try {
      await Promise.race([during(), clients])
    } finally {
      isOver = true
    }
    await clients
  }

  async function nothingIsLost(): Promise<void> {
    await haveSameAnswers(servers)
    for (const { port } of servers) await ledger.verify(port)
  }

  it.each(isWide ? [...kinds, ...kinds] : kinds)(
    'answer 2xx or 503, and recover by themselves when it was %s',
    { timeout: 120_000 },
    async (outage) => {
      const [begin, end] = outages[outage]
      await underLoad(async () => {
        await acknowledged()
        await postgres[begin]()
        await areReady(503)
        // Beside each other, because each may wait for the database several times.
        const [healthy, metrics] = await Promise.all([
          statusesOf('/-/healthy'),
          statusesOf('/metrics'),
          count('answered 503', client.unavailable),
          // No client may have to wait for the database to be back.
          client.settled(),
        ])
        expect([healthy, metrics]).toEqual([
          [200, 200],
          [200, 200],
        ])
        await postgres[end]()
        await areReady(200)
        await acknowledged()
      })
      await nothingIsLost()
    },
  )

  it('a process that was started meanwhile is not ready before it is back', {
    timeout: 120_000,
  }, async () => {
    await postgres.kill()
    const late = await launchApi({ folder, storage: storage() })
    try {
      const ask = (path: string) => send(late.port, { method: 'GET', path })
      expect((await ask('/-/healthy')).status).toBe(200)
      expect((await ask('/-/ready')).status).toBe(503)
      expect((await ask('/metrics')).status).toBe(200)
      expect(await ask('/api/v2/alerts')).toMatchObject({
        status: 503,
        body: expect.stringContaining('PostgreSQL cannot be reached'),
      })
      await postgres.start()
      await whenReady(late)
      await ledger.verify(late.port)
      await haveSameAnswers([late, ...servers])
    } finally {
      expect(await late.stop()).toEqual({ code: 0, signal: null })
    }
  })

  it('leak no connection and no file', async () => {
    client.end()
    await until('connections are within the limit', async () => {
      const { rows } = await runSql(
        postgres.url,
        `SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'gatehouse'`,
      )
      return rows[0].open <= servers.length * (maxConnections + 1) || undefined
    })
    await until('files are within the limit', async () => {
      const files = await openFiles(servers)
      const most = filesAtFirst.map((count) => count + maxConnections + 1)
      if (files.every((count, i) => count <= (most[i] ?? 0))) return true
      throw new Error(`${files.join(' and ')} files are open, ${most.join(' and ')} are allowed`)
    })
  })

  it('exit on SIGTERM while it does not answer', { timeout: 120_000 }, async () => {
    await postgres.pause()
    const exits = await Promise.all(servers.map((server) => server.stop()))
    expect(exits).toEqual(servers.map(() => ({ code: 0, signal: null })))
    await postgres.resume()
  })
})

/** The open files and connections of each process; 0 if the system does not show them. */
function openFiles(servers: readonly Server[]): Promise<readonly number[]> {
  return Promise.all(
    servers.map(async ({ pid }) => {
      const folder = `/proc/${pid}/fd`
      return existsSync(folder) ? (await readdir(folder)).length : 0
    }),
  )
}
