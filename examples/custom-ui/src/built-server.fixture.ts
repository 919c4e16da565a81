import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthClient } from '@gatehouse/client'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildExample } from '../../../test-support/build-example.ts'
import { startFixture } from '../../../test-support/fixture-process.ts'
import { startGuardian } from '../../../test-support/guardian.ts'
import { password } from './maya.fixture.ts'

/** A part of an `authgear.yaml`, as values. */
type Config = Readonly<Record<string, unknown>>

/** The server of this example as `npm start` runs it: built, and in a process of its own. */
export interface BuiltServer {
  readonly origin: string
  /** The code of the first mail to an address that contains one, read from the server's log. */
  codeTo(address: string): Promise<string>
  /** The link of the first mail to an address that contains one. */
  linkTo(address: string): Promise<string>
  /** Signs up a user in a browser that the test does not need. */
  signUp(address: string): Promise<void>
}

/** A server that its starter has to stop. */
export interface RunningServer extends BuiltServer {
  /** The lines of its log. */
  readonly log: readonly string[]
  /** Sends SIGTERM, waits for the end, and removes its files. Returns the exit code. */
  stop(): Promise<number | null>
}

/** Options of a server. */
export interface BuiltServerOptions {
  /** Replaces its `authgear.yaml`; the server's address is filled in. */
  readonly config?: Config
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>
}

let building: Promise<string> | undefined

/** The file that `npm start` runs, built before the first start. */
export function buildServer(): Promise<string> {
  building ??= buildExample(new URL('../', import.meta.url))
  return building
}

/** Starts a server with its own folder and port. */
export async function startBuiltServer(options: BuiltServerOptions = {}): Promise<RunningServer> {
  const { config, environment } = options
  const file = await buildServer()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
  const guardian = startGuardian(folder)
  const env = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_ORIGIN: '',
    AUTH_CONFIG: config === undefined ? '' : await writeConfig(folder, config),
    AUTH_DATABASE: join(folder, 'people.db'),
    AUTH_KEY: 'a key for tests, of 32 bytes or more',
    ...environment,
  }
  const program = startFixture(file, [], { env })
  guardian.watch(program.pid)
  const end = async (): Promise<number | null> => {
    const code = await program.stop()
    guardian.watch(undefined)
    await guardian.release()
    return code
  }
  let ending: Promise<number | null> | undefined
  const stop = (): Promise<number | null> => {
    ending ??= end()
    return ending
  }
  const listening = program.written(/^(http:\S+) \(listening on 127\.0\.0\.1, port \d+\)$/)
  const [, origin = ''] = await listening.catch(async (error: unknown) => {
    await stop()
    throw error
  })

  const mailTo = async (address: string, pattern: string): Promise<string> => {
    const [, found = ''] = await program.written(new RegExp(`^\\w+ for ${address}: (${pattern})$`))
    return found
  }
  const codeTo = (address: string): Promise<string> => mailTo(address, '\\d{6}')
  return {
    origin,
    log: program.lines,
    codeTo,
    linkTo: (address) => mailTo(address, 'http\\S+'),
    async signUp(address) {
      const input = { identification: 'email', login_id: address } as const
      const sent = await createAuthClient({ url: origin }).signup({ inputs: [input] })
      const proven = await sent.send({ code: await codeTo(address) })
      const done = await proven.send({ authentication: 'primary_password', new_password: password })
      expect(done.prompt).toBe('finished')
    },
    stop,
  }
}

/** Runs a server for the calling suite. */
export function useBuiltServer(
  configure: () => BuiltServerOptions | Promise<BuiltServerOptions> = () => ({}),
): BuiltServer {
  let running: RunningServer | undefined
  beforeAll(async () => {
    running = await startBuiltServer(await configure())
  })
  afterAll(async () => {
    if (running !== undefined) expect(await running.stop(), 'its exit code').toBe(0)
  })
  const server = (): RunningServer => {
    if (running === undefined) throw new Error('the server has not started yet')
    return running
  }
  return {
    get origin() {
      return server().origin
    },
    codeTo: (address) => server().codeTo(address),
    linkTo: (address) => server().linkTo(address),
    signUp: (address) => server().signUp(address),
  }
}

async function writeConfig(folder: string, config: Config): Promise<string> {
  const file = join(folder, 'authgear.json')
  const origin = `\${PUBLIC_ORIGIN}` // the program fills it in
  const reached = {
    id: 'test',
    http: { public_origin: origin, allow_insecure: true },
    links: { reset_password: `${origin}/reset?code={code}` },
  }
  await writeFile(file, JSON.stringify({ ...reached, ...config }))
  return file
}
