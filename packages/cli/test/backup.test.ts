import { appendFile, copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { describeWithPostgres, useDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { Database } from '../../../test-support/sqlite.ts'
import { type Ended, runCli, runHere } from '../src/main.fixture.ts'
import { getJson } from './support/answers.ts'
import { startApi } from './support/api-server.ts'
import { jsonPost, send } from './support/http.ts'
import { type Server, temporaryFolder } from './support/server.ts'

let folder = ''
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const storage = (...args: readonly string[]): Promise<Ended> =>
  runHere(['storage', ...args], folder)
/** The same with the built command. */
const builtStorage = (...args: readonly string[]): Promise<Ended> =>
  runCli(['storage', ...args], folder)
const succeeded = (stderr: RegExp) => ({
  exitCode: 0,
  stdout: '',
  stderr: expect.stringMatching(stderr),
})

/** Posts alerts of a batch, and a silence, until the backup is made; returns how many alerts were acknowledged before it began. */
async function underLoad(
  { port }: Server,
  batch: string,
  during: () => Promise<void>,
): Promise<number> {
  let begun = 0
  let posts = 0
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const labels = { alertname: `${batch}-${begun++}`, odd: '\u2028\u0000 é' }
      expect((await send(port, jsonPost('/api/v2/alerts', [{ labels }]))).status).toBe(200)
      posts++
    }
  }
  const silence = {
    matchers: [{ name: 'alertname', value: `${batch}-1`, isRegex: false, isEqual: true }],
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

/** A storage: the section of the file, and the flags of the command that name it. */
interface Place {
  readonly section: Readonly<Record<string, string>>
  readonly flags: readonly string[]
}

const sqliteAt = (file: string): Place => ({ section: { sqlite: file }, flags: ['--sqlite', file] })

/** Serves the first storage, moves it while it is written, and serves each copy, which is moved on to the next storage. */
async function moves(source: Place, ...targets: readonly Place[]): Promise<void> {
  let place = source
  let server = await startApi({ folder, storage: source.section })
  try {
    for (const target of targets) {
      const lists = await movesTo(server, place, target)
      place = target
      server = await startApi({ folder, storage: target.section })
      expect(await listsOf(server)).toEqual(lists)
    }
  } finally {
    await server.stop()
  }
}

/** Backs up a running server's storage, stops the server, and restores it elsewhere. Returns the last responses of the server. */
async function movesTo(server: Server, from: Place, to: Place): Promise<readonly unknown[]> {
  const batch = crypto.randomUUID()
  const file = join(folder, `${batch}.backup`)
  const posted = await underLoad(server, batch, async () => {
    expect(await builtStorage('backup', ...from.flags, '--to', file)).toEqual(
      succeeded(/^saved \d+ records$/m),
    )
  })
  expect(await storage('verify', ...from.flags)).toEqual(succeeded(/^\d+ records, 0 problems$/m))
  const lists = await listsOf(server)
  await server.stop()
  expect(await storage('verify', '--from', file)).toEqual(succeeded(/, 0 problems$/m))

  // A backup of the last state of the server, to compare.
  const last = join(folder, `${crypto.randomUUID()}.backup`)
  expect((await storage('backup', ...from.flags, '--to', last)).exitCode).toBe(0)
  expect(await builtStorage('restore', ...to.flags, '--from', last)).toEqual(
    succeeded(/^restored \d+ records, left out \d+ expired records?$/m),
  )
  expect(await builtStorage('verify', ...to.flags)).toEqual(succeeded(/, 0 problems$/m))
  expect((await storage('restore', ...to.flags, '--from', last)).exitCode).toBe(2)

  // The backup made under load has everything that was acknowledged before it began.
  const early = join(folder, `${crypto.randomUUID()}.db`)
  expect((await storage('restore', '--sqlite', early, '--from', file)).exitCode).toBe(0)
  expect(await alertsOf(early, batch)).toBeGreaterThanOrEqual(posted)
  return lists
}

/** How many alerts of a batch a SQLite file has. */
async function alertsOf(file: string, batch: string): Promise<number> {
  if (isWide) {
    const server = await startApi({ folder, storage: { sqlite: file } })
    const [alerts] = await listsOf(server).finally(() => server.stop())
    return JSON.stringify(alerts).split(`"${batch}-`).length - 1
  }
  const database = new Database(file)
  const count = database.value(
    `SELECT count(*) FROM gatehouse_alerts WHERE value LIKE '%"${batch}-%'`,
  )
  database.close()
  return Number(count)
}

describe('gatehouse storage backup, restore and verify', () => {
  /** The file of a stopped server that has three alerts. */
  let served = ''
  beforeAll(async () => {
    served = join(folder, 'served.db')
    const server = await startApi({ folder, storage: { sqlite: served } })
    const alerts = ['kept', 'b', 'c'].map((alertname) => ({ labels: { alertname } }))
    await send(server.port, jsonPost('/api/v2/alerts', alerts))
    await server.stop()
  })

  // Usually each kind of store is only one end of a move.
  if (isWide) {
    it('move a running server from SQLite to SQLite', { timeout: 120_000 }, () =>
      moves(sqliteAt(join(folder, 'one.db')), sqliteAt(join(folder, 'two.db'))),
    )
  }

  it('refuse an existing file, a truncated or changed backup, and a missing storage', {
    timeout: 120_000,
  }, async () => {
    const database = served
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
    await copyFile(served, filename)
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

  it('move a running server from SQLite to PostgreSQL, and back to SQLite', {
    timeout: 120_000,
  }, async () => {
    const copy: Place = {
      section: { postgres: database.url, schema: 'copy' },
      flags: ['--database', database.url, '--schema', 'copy'],
    }
    await moves(sqliteAt(join(folder, 'to-postgres.db')), copy, sqliteAt(join(folder, 'back.db')))
  })

  if (isWide) {
    it('move a running server from the default schema of PostgreSQL', {
      timeout: 120_000,
    }, async () => {
      const { url } = database
      const source: Place = { section: { postgres: url }, flags: ['--database', url] }
      await moves(source, sqliteAt(join(folder, 'from-postgres.db')))
    })
  }
})
