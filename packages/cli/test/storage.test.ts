import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runSql } from '../../../test-support/postgres/postgres-database.ts'
import {
  describeWithPostgres,
  sharedPostgres,
  useDatabase,
} from '../../../test-support/postgres/use-postgres.ts'
import { type Ended, runCli, runHere } from '../src/main.fixture.ts'
import { getJson } from './support/answers.ts'
import { launchApi, writeApiConfig } from './support/api-server.ts'
import { jsonPost, send } from './support/http.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder, whenReady } from './support/server.ts'

/** The part of the passwords that is the same with and without percent-encoding. */
const secret = 'S3cretWord'
const password = `${secret}/@:%?#&`

let folder = ''
/** The end of a migration that waits for a silent server. It begins before all tests, because it takes ten seconds. */
let silentMigration: Promise<Ended>
beforeAll(async () => {
  folder = await temporaryFolder()
  silentMigration = migrateSilentServer()
  silentMigration.catch(() => {}) // Its test waits for it.
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs `gatehouse storage …` to its end. Its output must not contain a password. */
async function storage(...args: readonly string[]): Promise<Ended> {
  return withoutSecret(await runCli(['storage', ...args], folder))
}

/** The same in this process. */
async function storageHere(...args: readonly string[]): Promise<Ended> {
  return withoutSecret(await runHere(['storage', ...args], folder))
}

function withoutSecret(ended: Ended): Ended {
  expect(ended.stdout + ended.stderr).not.toContain(secret)
  return ended
}

/** Migrates a server that accepts connections and never answers. */
async function migrateSilentServer(): Promise<Ended> {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `postgres://u:${secret}@127.0.0.1:${port}/db`
  return storage('migrate', '--database', url).finally(() => silent.close())
}

type Section = Readonly<Record<string, unknown>>

/** Checks that alerts and silences are kept. */
async function keepsAlerts({ port }: Server): Promise<void> {
  const silence = {
    matchers: [{ name: 'disk', value: 'a', isRegex: false }],
    startsAt: '2024-01-01T00:00:00Z',
    endsAt: '2040-01-01T00:00:00Z',
    createdBy: 'ann',
    comment: 'on its way',
  }
  const alert = { labels: { alertname: 'DiskFull', disk: 'a' } }
  expect((await send(port, jsonPost('/api/v2/alerts', [alert]))).status).toBe(200)
  const { status, body } = await send(port, jsonPost('/api/v2/silences', silence))
  expect(status).toBe(200)
  const { silenceID } = JSON.parse(body)
  expect(await getJson(port, '/api/v2/alerts')).toMatchObject([
    {
      labels: alert.labels,
      status: { state: 'suppressed', silencedBy: expect.arrayContaining([silenceID]) },
    },
  ])
}

/** Uses every collection. */
async function serves(server: Server): Promise<void> {
  await keepsAlerts(server)
  await until('its heartbeat is stored', async () => {
    const answered = await getJson(server.port, '/api/v2/status')
    const { cluster } = answered as { cluster: { status: string } }
    return cluster.status === 'ready' || undefined
  })
}

describeWithPostgres('gatehouse storage', () => {
  const database = useDatabase()
  /** Stopped by SIGTERM at the end of the test; their output must not contain a password. */
  let servers: Server[] = []
  beforeEach(() => {
    servers = []
  })
  afterEach(async () => {
    const exits = await Promise.all(servers.map((server) => server.stop()))
    expect(exits).toEqual(servers.map(() => ({ code: 0, signal: null })))
    for (const server of servers) expect(server.output()).not.toContain(secret)
  })

  /** Starts a server, ready or not. */
  async function launch(section: Section): Promise<Server> {
    const flags = ['--log.level', 'debug']
    const server = await launchApi({ folder, storage: section, flags })
    servers.push(server)
    return server
  }

  async function serve(section: Section): Promise<Server> {
    const server = await launch(section)
    await whenReady(server)
    return server
  }

  const suffix = randomBytes(6).toString('hex')
  /** Owns the database. */
  const owner = `test_owner_${suffix}`
  /** May use existing tables, and create nothing. */
  const user = `test_user_${suffix}`

  const urlOf = (role: string): string => {
    const url = new URL(database.url)
    url.username = role
    url.password = encodeURIComponent(password)
    return url.href
  }

  beforeAll(async () => {
    const server = await sharedPostgres()
    for (const role of [owner, user]) {
      await runSql(server, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
    }
  })
  beforeEach(async () => {
    const { pathname } = new URL(database.url)
    await runSql(database.url, `ALTER DATABASE ${pathname.slice(1)} OWNER TO ${owner}`)
  })
  afterAll(async () => {
    await runSql(await sharedPostgres(), `DROP ROLE ${owner}, ${user}`)
  })

  it.each([
    ['by default', {}, []],
    [
      'in a schema, behind a prefix',
      { schema: 'Watch', prefix: 'am_' },
      ['--schema', 'Watch', '--prefix', 'am_'],
    ],
  ])(
    'sql prints everything for a server that creates nothing itself, %s',
    async (_, place, flags) => {
      const { exitCode, stdout, stderr } = await storageHere('sql', ...flags)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      await runSql(urlOf(owner), stdout)
      await runSql(urlOf(owner), stdout) // running it again is harmless
      await serves(await serve({ postgres: urlOf(owner), migrate: 'manual', ...place }))
    },
  )

  it('sql takes the place of the tables from a file, and prints nothing else', async () => {
    const section = { postgres: urlOf(owner), schema: 'watch', prefix: 'am_' }
    const config = await writeApiConfig(folder, section)
    const named = await storage('sql', '--config', config)
    const given = await storageHere('sql', '--schema', 'watch', '--prefix', 'am_')
    expect(named).toEqual(given)
    expect(named.stdout).toContain('CREATE TABLE IF NOT EXISTS "watch"."am_alerts"')
    const other = await storageHere('sql', '--config', config, '--schema', 'other')
    expect(other.stdout).toContain('CREATE TABLE IF NOT EXISTS "other"."am_alerts"')
  })

  it('migrate creates the tables for a server that may not, with a URL from a separate file', async () => {
    await writeFile(join(folder, 'url'), `${urlOf(owner)}\n`)
    const section = { postgres_file: 'url', migrate: 'manual' }
    const server = await launch(section)
    const { port } = server
    expect((await send(port, { method: 'GET', path: '/-/ready' })).status).toBe(503)
    for (const path of ['alerts', 'silences', 'status']) {
      expect(await send(port, { method: 'GET', path: `/api/v2/${path}` })).toMatchObject({
        status: 503,
        body: expect.stringMatching(/the database lacks .*: run \\"gatehouse storage migrate\\"/),
      })
    }
    expect(server.output()).toContain('gatehouse storage migrate')
    const { rows } = await runSql(database.url, "SELECT FROM pg_tables WHERE schemaname = 'public'")
    expect(rows).toEqual([])

    const migrated = await storage('migrate', '--config', await writeApiConfig(folder, section))
    const { host, pathname } = new URL(database.url)
    expect(migrated).toMatchObject({ exitCode: 0, stdout: '' })
    expect(migrated.stderr).toMatch(/^ts=\S+ level=info msg="the database is ready" storage=\S+\n$/)
    expect(migrated.stderr).toContain(`storage=postgres://${host}${pathname}\n`)
    await whenReady(server)
    await serves(server)
  })

  it('migrate may be run again, concurrently, and while servers run', async () => {
    const args = ['migrate', '--database', urlOf(owner)]
    const migrate = () => storage(...args)
    const [server, ...first] = await Promise.all([
      serve({ postgres: urlOf(owner) }),
      migrate(),
      migrate(),
      migrate(),
    ])
    const again = await storageHere(...args)
    expect([...first, again].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    await serves(server)
  })

  it('a user that may create nothing can serve after it', async () => {
    const server = await launch({ postgres: urlOf(user) })
    const ask = () => send(server.port, { method: 'GET', path: '/api/v2/alerts' })
    expect(await ask()).toMatchObject({
      status: 503,
      body: expect.stringContaining('permission denied for schema public'),
    })
    expect((await storageHere('migrate', '--database', urlOf(user))).exitCode).toBe(2)
    expect((await storageHere('migrate', '--database', urlOf(owner))).exitCode).toBe(0)
    await runSql(
      urlOf(owner),
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`,
    )
    await whenReady(server)
    await keepsAlerts(server)
    await serves(await serve({ postgres: urlOf(user), migrate: 'manual' }))
  })

  it('leaves the tables of a newer version unchanged', async () => {
    const migrate = () => storageHere('migrate', '--database', urlOf(owner))
    expect((await migrate()).exitCode).toBe(0)
    await runSql(urlOf(owner), 'UPDATE gatehouse__schema SET version = 99')
    expect(await migrate()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^the database has the schema version 99, .* use a newer \S+\n$/,
      ),
    })
  })

  it('no password is in the title of a process, nor in the message of a refusal', async () => {
    const url = new URL(urlOf(owner))
    url.password = `${secret}-of-somebody-else`
    const server = await launch({ postgres: url.href })
    expect(await send(server.port, { method: 'GET', path: '/api/v2/alerts' })).toMatchObject({
      status: 503,
      body: expect.stringContaining('password authentication failed'),
    })
    const title = `/proc/${server.pid}/cmdline`
    if (existsSync(title)) expect(await readFile(title, 'utf8')).not.toContain(secret)
    const refused = await storageHere('migrate', '--database', url.href)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('password authentication failed')
  })
})

describe.concurrent('gatehouse storage without a database', () => {
  const badUrl = '--database must be a URL such as postgres://user@host:5432/database\n'

  it.each([
    [['migrate'], 'name the database: --database URL, or --config FILE\n'],
    [['migrate', '--database', 'nonsense'], badUrl],
    [['migrate', '--database', `mysql://u:${secret}@127.0.0.1:1/db`], badUrl],
    [['migrate', '--database', `postgres://u:${secret}@127.0.0.1:port/db`], badUrl],
    [
      ['migrate', '--database', `postgres://u:${secret}@127.0.0.1:1/db`],
      'PostgreSQL cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    ],
    [
      ['migrate', '--database', `postgres://u:${secret}@localhost.invalid/db?password=${secret}`],
      expect.stringMatching(/^PostgreSQL cannot be reached: getaddrinfo \w+ localhost\.invalid\n$/),
    ],
    [
      ['migrate', '--database', 'postgres://127.0.0.1:1/db', '--prefix', 'Am'],
      'prefix must be 1 to 16 lower case letters, digits and underscores, starting with a letter, got "Am"\n',
    ],
    [
      ['sql', '--schema', 'a b'],
      'schema must be 1 to 63 letters, digits and underscores, not starting with a digit, got "a b"\n',
    ],
    [['migrate', '--config', 'nowhere.yml'], 'nowhere.yml: no such file or directory\n'],
  ])('%j exits with 2 and the reason', async (args, stderr) => {
    expect(await storageHere(...args)).toEqual({ exitCode: 2, stdout: '', stderr })
  })

  it.each(['migrate', 'sql'])('%s refuses a file with another storage', async (command) => {
    const config = await writeApiConfig(folder, { sqlite: 'gatehouse.db' })
    expect(await storageHere(command, '--config', config)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${config}: the storage is not PostgreSQL\n`,
    })
    expect(existsSync(join(folder, 'gatehouse.db'))).toBe(false)
  })

  it('migrate does not wait forever for a silent server', {
    timeout: 120_000,
  }, async () => {
    const ended = await silentMigration
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^PostgreSQL .*\n$/)
  })

  it.each([
    ['a password that is not percent-encoded', `postgres://u:12/${secret}@127.0.0.1:1/db`],
    ['another scheme', `mysql://u:${secret}@127.0.0.1:1/db`],
  ])('api refuses %s, and does not repeat it', async (_, postgres) => {
    expect(await refusal({ postgres })).toMatch(
      /^it ended with 2:\n\S+:1:24 storage\.postgres: must be a URL: postgres:\/\/user@host:5432\/database\n$/,
    )
  })

  it.each([
    ['is not there', undefined, 'no such file or directory'],
    [
      'holds something else',
      `u:${secret}@127.0.0.1`,
      'does not hold a URL such as postgres://user@host:5432/database',
    ],
  ])('api refuses a file of a URL that %s', async (name, content, problem) => {
    if (content !== undefined) await writeFile(join(folder, name), content)
    expect(await refusal({ postgres_file: name })).toBe(
      `it ended with 2:\n${join(folder, name)}: ${problem}\n`,
    )
  })
})

/** The output of a server that fails to start. */
async function refusal(section: Section): Promise<string> {
  const config = await writeApiConfig(folder, section)
  const ended = withoutSecret(await runHere(['api', '--config', config], folder))
  return `it ended with ${ended.exitCode}:\n${ended.stdout}${ended.stderr}`
}
