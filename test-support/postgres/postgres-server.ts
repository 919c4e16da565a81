import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAs } from '../account.ts'
import { freePort } from '../free-port.mjs'
import { startGuardian } from '../guardian.ts'
import { findPostgres, type PostgresBinaries, preparePostgres } from './postgres-binaries.ts'
import { createDatabase } from './postgres-database.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'

/** A PostgreSQL for one test, on a free port of 127.0.0.1. */
export interface PostgresServer {
  /** URL of the database `postgres`, with the password. */
  readonly url: string
  /** Makes a database with a random name and returns its URL. */
  createDatabase(): Promise<string>
  /** Shuts down cleanly; keeps the data and the port. */
  stop(): Promise<void>
  /** Starts it again after stop() or kill(). */
  start(): Promise<void>
  /** Kills all its processes, without a last write. */
  kill(): Promise<void>
  /** Freezes it: connections stay open, and get no answer. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Stops it for good and deletes its data. */
  end(): Promise<void>
}

/** How many ports to try: another program may take a free port before PostgreSQL does. */
const maxPorts = 10

/**
 * Starts an empty PostgreSQL. It ends with the calling process, however that ends.
 *
 * @param options `syncs`: whether a commit waits until it is on the disk (default true).
 * @throws {Error} if PostgreSQL is missing for this platform, or with its log if it does not start.
 */
export async function startPostgres({ syncs = true } = {}): Promise<PostgresServer> {
  const found = findPostgres()
  if ('missing' in found) throw new Error(found.missing)
  const binaries = await preparePostgres(found)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'))
  const guardian = startGuardian(folder)
  try {
    const password = randomBytes(16).toString('hex')
    await initialize(binaries, folder, password)
    const launch = (port: number): Promise<Postmaster> => {
      const dataFolder = join(folder, 'data')
      return startPostmaster({ binaries, dataFolder, port, syncs, onSpawn: guardian.watch })
    }
    const { port, postmaster } = await launchOnFreePort(launch)
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    let running: Postmaster | undefined = postmaster

    const present = (): Postmaster => {
      if (running === undefined) throw new Error('PostgreSQL is not running')
      return running
    }
    const over = async (end: (postmaster: Postmaster) => Promise<void>): Promise<void> => {
      await end(present())
      running = undefined
      guardian.watch(undefined)
    }

    return {
      url,
      createDatabase: () => createDatabase(url),
      stop: () => over((one) => one.shutDown()),
      kill: () => over((one) => one.kill()),
      async start() {
        if (running !== undefined) throw new Error('PostgreSQL is running already')
        running = await launch(port)
      },
      pause: async () => present().pause(),
      resume: async () => present().resume(),
      async end() {
        if (running !== undefined) await over((one) => one.shutDown())
        await guardian.release()
      },
    }
  } catch (error) {
    await guardian.release()
    throw error
  }
}

/** Makes the data folder, without syncing it to disk: only the commits of the tests need to be durable. */
async function initialize(
  { folder: programs, account }: PostgresBinaries,
  folder: string,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(passwordFile, account.uid, account.gid)
    await chown(folder, account.uid, account.gid)
  }
  const { code, output } = await runAs(account, join(programs, 'bin', 'initdb'), [
    `--pgdata=${join(folder, 'data')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--set=scram_iterations=1', // tests connect thousands of times
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ])
  if (code !== 0) throw new Error(`initdb ended with ${code}:\n${output}`)
  await rm(passwordFile)
}

async function launchOnFreePort(
  launch: (port: number) => Promise<Postmaster>,
): Promise<{ readonly port: number; readonly postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, postmaster: await launch(port) }
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('Address already in use')
      if (!isTaken || attempt >= maxPorts) throw error
    }
  }
}
