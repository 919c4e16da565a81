import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runHere, type Serving, serveCli } from '../../src/main.fixture.ts'

/** A folder with a sign-in configuration, and the servers started with it. */
export interface AuthFolder {
  readonly path: string
  /** Writes a file that only its owner can read. */
  write(name: string, text: string): void
  /** Writes a `config.json` with this section and these keys of the document. */
  configure(document?: object, section?: object, keys?: object): void
  /** Starts the built `gatehouse api`. */
  serve(...flags: string[]): Promise<Serving>
  /** Runs `gatehouse check` in this process. */
  check(): Promise<Ended>
  /** Kills all servers, and removes the folder. */
  remove(): Promise<void>
}

/** The key of the servers of these tests. */
export const key = 'the key of these tests, which is long enough'

/** The section of a server that logs its codes. */
export const development = { dev: { print_codes: true } }

/** Makes a folder for a test. */
export function createAuthFolder(): AuthFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const running: Serving[] = []
  const write = (name: string, text: string): void =>
    writeFileSync(join(path, name), text, { mode: 0o600 })
  write('auth.key', `${key}\n`)
  return {
    path,
    write,
    configure(document = {}, section = {}, keys = {}) {
      write('authgear.json', JSON.stringify({ id: 'test', ...document }))
      const auth = { config: 'authgear.json', key_file: 'auth.key', ...section }
      const file = { host: '127.0.0.1', port: 0, storage: { sqlite: 'a.db' }, auth, ...keys }
      write('config.json', JSON.stringify(file))
    },
    async serve(...flags) {
      const server = await serveCli(['api', ...flags], path)
      running.push(server)
      return server
    },
    check: () => runHere(['check', '--config', 'config.json'], path),
    async remove() {
      for (const server of running) {
        server.signal('SIGKILL')
        await server.ended
      }
      rmSync(path, { recursive: true })
    },
  }
}

/** Stops a server as its operator does. @returns its log */
export async function stop(server: Serving): Promise<string> {
  server.signal('SIGTERM')
  const { exitCode, stderr } = await server.ended
  if (exitCode !== 0) throw new Error(`it ended with ${exitCode}:\n${stderr}`)
  return stderr
}
