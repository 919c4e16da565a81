import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { describeWithPostgres, useDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { Database } from '../../../test-support/sqlite.ts'
import { type Ended, runCli } from '../src/main.fixture.ts'
import { getJson } from './support/answers.ts'
import { startApi } from './support/api-server.ts'
import { jsonPost, send } from './support/http.ts'
import { type Server, temporaryFolder } from './support/server.ts'

let folder = ''
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const storage = (...args: readonly string[]): Promise<Ended> => runCli(['storage', ...args], folder)
const succeeded = (stderr: RegExp) => ({
  exitCode: 0,
  stdout: '',
  stderr: expect.stringMatching(stderr),
})

/** Posts alerts and silences until the backup is made; returns how many posts were acknowledged before it began. */
async function underLoad({ port }: Server, during: () => Promise<void>): Promise<number> {
  let posts = 0
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const labels = { alertname: `a${posts}`, odd: '\u2028\u0000 é' }
      expect((await send(port, jsonPost('/api/v2/alerts', [{ labels }]))).status).toBe(200)
      posts++
    }
  }
  const silence = {
    matchers: [{ name: 'alertname', value: 'a1', isRegex: false, isEqual: true }],
    startsAt: '2024-01-01T00:00:00Z',
    endsAt: '2040-01-01T00:00:00Z',
    createdBy: 'ann',
    comment: 'on its way',
  }
  expect((await send(port, jsonPost('/api/v2/silences', silence))).status).toBe(200)
  const clients = [client(), client()]
  await expect.poll(() => posts).toBeGreaterThan(20)
  const before = posts
  await during()
  isOver = true
  await Promise.all(clients)
  return before
}

const listsOf = async ({ port }: Server): Promise<readonly unknown[]> =>
  Promise.all(
    ['/api/v2/alerts', '/api/v2/silences', '/api/v2/alerts/groups'].map((path) =>
      getJson(port, path),
    ),
  )

/** Backs up a running server's storage, restores it elsewhere, and compares the responses of both servers. */
async function movesFrom(
  source: Readonly<Record<string, string>>,
  from: readonly string[],
  target: Readonly<Record<string, string>>,
  to: readonly string[],
): Promise<void> {
  const file = join(folder, `${crypto.randomUUID()}.backup`)
  const server = await startApi({ folder, storage: source })
  let posted = 0
  try {
    posted = await underLoad(server, async () => {
      expect(await storage('backup', ...from, '--to', file)).toEqual(
        succeeded(/^saved \d+ records$/m),
      )
    })
    expect(await storage('verify', ...from)).toEqual(succeeded(/^\d+ records, 0 problems$/m))
  } finally {
    await server.stop()
  }
  expect(await storage('verify', '--from', file)).toEqual(succeeded(/, 0 problems$/m))

  // A backup of the last state of the first server, to compare.
  const last = join(folder, `${crypto.randomUUID()}.backup`)
  expect((await storage('backup', ...from, '--to', last)).exitCode).toBe(0)
  expect(await storage('restore', ...to, '--from', last)).toEqual(
    succeeded(/^restored \d+ records, left out \d+ expired records?$/m),
  )
  expect(await storage('verify', ...to)).toEqual(succeeded(/, 0 problems$/m))
  expect((await storage('restore', ...to, '--from', last)).exitCode).toBe(2)
  const first = await startApi({ folder, storage: source })
  const lists = await listsOf(first).finally(() => first.stop())
  const second = await startApi({ folder, storage: target })
  const copies = await listsOf(second).finally(() => second.stop())
  expect(copies).toEqual(lists)

  // The backup made under load has everything that was acknowledged before it began.
  const early = join(folder, `${crypto.randomUUID()}.db`)
  expect((await storage('restore', '--sqlite', early, '--from', file)).exitCode).toBe(0)
  const third = await startApi({ folder, storage: { sqlite: early } })
  const [alerts] = await listsOf(third).finally(() => third.stop())
  expect((alerts as unknown[]).length).toBeGreaterThanOrEqual(posted)
}

describe('gatehouse storage backup, restore and verify', () => {
  // Usually each store is only one end of a move.
  if (isWide) {
    it('move a running server from SQLite to SQLite', { timeout: 120_000 }, async () => {
      const [one, two] = [join(folder, 'one.db'), join(folder, 'two.db')]
      await movesFrom({ sqlite: one }, ['--sqlite', one], { sqlite: two }, ['--sqlite', two])
    })
  }

  it('refuse an existing file, a truncated or changed backup, and a missing storage', {
    timeout: 120_000,
  }, async () => {
    const database = join(folder, 'small.db')
    const server = await startApi({ folder, storage: { sqlite: database } })
    await send(server.port, jsonPost('/api/v2/alerts', [{ labels: { alertname: 'kept' } }]))
    await server.stop()
    const file = join(folder, 'small.backup')
    expect((await storage('backup', '--sqlite', database, '--to', file)).exitCode).toBe(0)
    const target = ['--sqlite', join(folder, 'target.db')]
    const refusals: (readonly [readonly string[], string])[] = [
      [['backup', '--sqlite', database, '--to', file], 'already exists'],
      [['backup', '--sqlite', join(folder, 'none.db'), '--to', 'x'], 'cannot open'],
      [['backup', '--to', 'x'], 'name one storage'],
      [['restore', '--sqlite', database, '--from', file], 'already exists'],
      [['restore', ...target, '--from', join(folder, 'none')], 'no such file'],
    ]
    const damaged = join(folder, 'damaged.backup')
    await writeFile(damaged, (await readFile(file, 'utf8')).replace('kept', 'lost'))
    refusals.push([['restore', ...target, '--from', damaged], 'its checksum does not match'])
    refusals.push([['verify', '--from', damaged], 'its checksum does not match'])
    for (const [args, problem] of refusals) {
      expect(await storage(...args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(problem),
      })
    }
    expect((await storage('restore', ...target, '--from', file)).exitCode).toBe(0)
  })

  it('verify reports problems, and a backup saves everything that can still be read', {
    timeout: 120_000,
  }, async () => {
    const filename = join(folder, 'wrong.db')
    const server = await startApi({ folder, storage: { sqlite: filename } })
    const alerts = ['a', 'b', 'c'].map((alertname) => ({ labels: { alertname } }))
    await send(server.port, jsonPost('/api/v2/alerts', alerts))
    await server.stop()
    const database = new Database(filename)
    database.exec(`UPDATE gatehouse_alerts SET value = 'no JSON' WHERE rowid = 1`)
    database.exec('DELETE FROM "gatehouse_silences.feed"')
    database.exec('DELETE FROM "gatehouse_alerts.feed" WHERE revision > 0')
    database.exec('UPDATE gatehouse__counter SET commits = 0')
    database.close()
    const { exitCode, stderr } = await storage('verify', '--sqlite', filename)
    expect(exitCode).toBe(1)
    for (const problem of [
      /^gatehouse_alerts has records of commit \d+, but the counter stands at 0$/m,
      /^gatehouse_alerts\.feed does not list 3 of the records/m,
      /^gatehouse_silences\.feed has no row$/m,
      /^alerts "\w+": it is not JSON$/m,
      /, \d+ problems$/m,
    ]) {
      expect(stderr).toMatch(problem)
    }
    const file = join(folder, 'wrong.backup')
    expect(await storage('backup', '--sqlite', filename, '--to', file)).toEqual(
      succeeded(/^1 record without valid JSON: /m),
    )
    const repaired = ['--sqlite', join(folder, 'repaired.db')]
    expect(await storage('restore', ...repaired, '--from', file)).toEqual(
      succeeded(/^left out 1 record that cannot be stored/m),
    )
    expect((await storage('verify', ...repaired)).exitCode).toBe(0)

    await truncate(filename, 8_192)
    expect((await storage('verify', '--sqlite', filename)).exitCode).toBe(2)
    await rm(filename)
    await appendFile(filename, '')
    expect((await storage('verify', '--sqlite', filename)).stderr).toContain('is empty')
  })
})

describeWithPostgres('gatehouse storage backup, restore and verify with PostgreSQL', () => {
  const database = useDatabase()

  it('move a running server from SQLite to PostgreSQL', { timeout: 120_000 }, async () => {
    const sqlite = join(folder, 'to-postgres.db')
    const target = { postgres: database.url, schema: 'copy' }
    const to = ['--database', database.url, '--schema', 'copy']
    await movesFrom({ sqlite }, ['--sqlite', sqlite], target, to)
  })

  it('move a running server from PostgreSQL to SQLite', { timeout: 120_000 }, async () => {
    const sqlite = join(folder, 'from-postgres.db')
    await movesFrom({ postgres: database.url }, ['--database', database.url], { sqlite }, [
      '--sqlite',
      sqlite,
    ])
  })
})
