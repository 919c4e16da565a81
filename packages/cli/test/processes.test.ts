import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { dropDatabase, runSql } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { getJson, haveSameAnswers, peersOf } from './support/answers.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { createFleetLoad } from './support/fleet-load.ts'
import { jsonPost, send } from './support/http.ts'
import { Ledger } from './support/ledger.ts'
import { until } from './support/poll.ts'
import { temporaryFolder } from './support/server.ts'

const size = 4
const pairPosts = isWide ? 200 : 60
const rounds = isWide ? 5 : 2
const posted = { alerts: (isWide ? 2_000 : 800) * rounds, silences: 40 * rounds }
/** In the last round all but one are killed at once. */
const killsIn = (round: number): number => (round === rounds - 1 ? size - 1 : 1)

describeWithPostgres('four processes of gatehouse api on one PostgreSQL', () => {
  let url = ''
  let folder = ''
  let fleet: Fleet

  beforeAll(async () => {
    url = await freshDatabase()
    folder = await temporaryFolder()
    fleet = await startFleet({ size, folder, storage: { postgres: url, max_connections: 4 } })
  })
  afterAll(async () => {
    await fleet?.end()
    await rm(folder, { recursive: true, force: true })
    await dropDatabase(url)
  })

  it('have everything that any of them acknowledged, and agree, whichever was killed under load', {
    timeout: 120_000,
  }, async () => {
    const ledger = new Ledger()
    const load = createFleetLoad(ledger, {
      ask: fleet.ask,
      alerts: { owners: 8, perRound: posted.alerts / 8 / rounds },
      silences: { owners: 5, perRound: posted.silences / 5 / rounds },
    })
    for (let round = 0; round < rounds; round++) {
      const moment = load.acknowledged() + 5 + Math.random() * 80
      const run = load.run()
      await Promise.race([
        run,
        until('the load is under way', () => load.acknowledged() >= moment || undefined, {
          everyMs: 1,
        }),
      ])
      await Promise.all([run, fleet.replace(killsIn(round))])
    }
    const over = performance.now()
    const { looks } = await haveSameAnswers(fleet.servers)
    const ms = Math.round(performance.now() - over)
    console.log(`four processes agreed ${ms} ms after the load, at check ${looks}`)
    for (const { port } of fleet.servers) await ledger.verify(port)
    expect(ledger.alerts.size).toBe(posted.alerts)
    expect(ledger.silences.size).toBeGreaterThanOrEqual(posted.silences)
  })

  it('make one alert of the posts of a pair of Prometheus servers to two of them at the same instant', {
    timeout: 120_000,
  }, async () => {
    const ports = fleet.servers.slice(0, 2).map(({ port }) => port)
    const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const versions = new Map<string, number>()
    const statuses = new Map<number, number>()
    for (let repetition = 0; repetition < pairPosts; repetition++) {
      // Every other time the previous alerts are posted again, with a new end.
      const first = 10 * Math.floor(repetition / 2)
      const ids = Array.from({ length: 10 }, (_, i) => `${first + i}`)
      const version = 1 + (repetition % 2)
      for (const id of ids) versions.set(id, version)
      const answers = await Promise.all(
        ports.map((port, member) =>
          send(port, jsonPost('/api/v2/alerts', pairAlerts(ids, version, member)), agents[member]),
        ),
      )
      for (const { status } of answers) statuses.set(status, 1 + (statuses.get(status) ?? 0))
    }
    for (const agent of agents) agent.destroy()
    expect(statuses).toEqual(new Map([[200, 2 * pairPosts]]))

    await haveSameAnswers(fleet.servers)
    const expected = [...versions].map(([id, version]) => ({
      labels: { alertname: 'Pair', id },
      annotations: { version: `${version}` },
      startsAt: pairTime(2024, 0),
      endsAt: pairTime(2040 + version, 1),
    }))
    for (const { port } of fleet.servers) {
      const listed = await getJson(
        port,
        `/api/v2/alerts?filter=${encodeURIComponent('alertname=Pair')}`,
      )
      expect(sorted(listed as PairAlert[])).toEqual(sorted(expected))
    }
    const { rows } = await runSql(
      url,
      `SELECT count(*)::int AS stored FROM gatehouse_alerts WHERE value::jsonb -> 'labels' ->> 'alertname' = 'Pair'`,
    )
    expect(rows).toEqual([{ stored: versions.size }])
  })

  it('soon list an alert posted to any of them', async () => {
    for (const [place, { port }] of fleet.servers.entries()) {
      const alert = { labels: { alertname: 'News', place: `${place}` } }
      const { status } = await send(port, jsonPost('/api/v2/alerts', [alert]))
      expect(status).toBe(200)
      const filter = encodeURIComponent(`place="${place}"`)
      for (const other of fleet.servers) {
        await until(
          'the alert is listed',
          async () => {
            const listed = await getJson(other.port, `/api/v2/alerts?filter=${filter}`)
            return (listed as unknown[]).length === 1 || undefined
          },
          { everyMs: 5 },
        )
      }
    }
  })

  it('list each other, and drop one that was stopped', async () => {
    const names = await Promise.all(
      fleet.servers.map(async ({ port }) => (await peersOf(port)).name),
    )
    expect(new Set(names).size).toBe(size)
    const [stopped, ...others] = fleet.servers
    for (const { port } of fleet.servers) {
      expect((await peersOf(port)).listed).toEqual(expect.arrayContaining(names))
    }
    expect(await stopped?.stop()).toEqual({ code: 0, signal: null })
    for (const { port } of others) {
      await until('the stopped process is gone', async () => {
        const { listed } = await peersOf(port)
        return !listed.includes(names[0] ?? '') || undefined
      })
      expect((await peersOf(port)).listed).toEqual(expect.arrayContaining(names.slice(1)))
    }
  })
})

interface PairAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly endsAt: string
}

/** Each member of a pair sees an alert begin at a slightly different time. */
const pairTime = (year: number, member: number): string => `${year}-01-01T00:00:0${member}.000Z`

function pairAlerts(ids: readonly string[], version: number, member: number): readonly PairAlert[] {
  return ids.map((id) => ({
    labels: { alertname: 'Pair', id },
    annotations: { version: `${version}` },
    startsAt: pairTime(2024, member),
    endsAt: pairTime(2040 + version, member),
    generatorURL: `http://prometheus-${member}.test/graph`,
  }))
}

/** By id, and without the fields that the service adds. */
function sorted(alerts: readonly PairAlert[]): readonly PairAlert[] {
  return alerts
    .map(({ labels, annotations, startsAt, endsAt }) => ({ labels, annotations, startsAt, endsAt }))
    .sort((a, b) => Number(a.labels.id) - Number(b.labels.id))
}
