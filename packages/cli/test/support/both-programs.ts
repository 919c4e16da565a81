import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { pathOf, webhookBinary } from '../../../../test-support/binaries.ts'
import { freePort } from '../../../../test-support/free-port.mjs'
import { runHere } from '../../src/main.fixture.ts'
import { launchFile } from './api-server.ts'
import { until } from './poll.ts'
import { temporaryFolder } from './server.ts'

/** A hook in the keys of adnanh/webhook. Without a command it runs one that notes what it was given. */
export interface Hook {
  readonly id: string
  readonly [key: string]: unknown
}

/** A request to a hook. */
export interface Sent {
  readonly method?: string
  /** What follows the id of the hook, such as `?q=1`. */
  readonly after?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The newest version of TLS that the sender knows. */
  readonly tlsVersion?: 'TLSv1.2'
}

/** What the command of a hook was given. */
export interface Given {
  readonly args: readonly string[]
  /** The variables that are not those of this process. */
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly stdin: string
  /** What the files contain that variables name. */
  readonly files: Readonly<Record<string, string>>
}

/** What a program did with a request. */
export interface Done {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
  /** Undefined if nothing ran. */
  readonly given: Given | undefined
}

/** adnanh/webhook and this program, with the same hooks. */
export interface BothPrograms {
  /** What `gatehouse import hooks` wrote. */
  readonly config: string
  readonly imported: { readonly exitCode: number | null; readonly stderr: string }
  /** The folder of the hooks file, and of the commands. */
  readonly folder: string
  /** Sends a request to both. With `runs` it waits until the command has ended. */
  send(
    path: string,
    sent: Sent,
    runs: Expected,
  ): Promise<{ readonly there: Done; readonly here: Done }>
  /** How many commands have been started. */
  runs(): { readonly there: number; readonly here: number }
  /** What this program has logged. */
  log(): string
  stop(): Promise<void>
}

/** Which program runs the command. */
export interface Expected {
  readonly there: boolean
  readonly here: boolean
}

/** Options of {@link startBoth}. */
export interface BothOptions {
  /** The texts of the hooks files; in them `PROBE` is the folder of the commands. */
  readonly files: Readonly<Record<string, string>>
  /** Flags of adnanh/webhook. */
  readonly flags?: readonly string[]
  /** Flags of `gatehouse import hooks`. */
  readonly importFlags?: readonly string[]
  /** Keys of our file besides those that the import writes. */
  readonly settings?: string
  readonly variables?: Readonly<Record<string, string>>
  readonly isSecure?: boolean
}

/** Notes what it was given, and ends with STATUS. A shell drops variables whose names it does not like, so it does not list them. */
const probe = `#!/bin/sh
out="$GIVEN_DIR/\${0##*/}.$$"
mkdir "$out" || exit 99
[ $# = 0 ] || printf '%s\\0' "$@" > "$out/args"
cat /proc/$$/environ > "$out/env"
pwd -P > "$out/folder"
cat > "$out/stdin"
for name in INPUT OTHER HOOK_FILE HOOK_BINARY; do
  eval "path=\\\${$name-}"
  [ ! -f "$path" ] || cp "$path" "$out/file-$name"
done
echo "out $*"
echo "err" >&2
: > "$out/ended"
exit "\${STATUS:-0}"
`

/** Variables that differ between two starts of any program, or that this program adds. */
const ownVariables = /^(?:GIVEN_DIR|PWD|OLDPWD|SHLVL|_|GATEHOUSE_\w+)$/

/** What a sender can see. Go says no type of an answer without text. */
export const seenBy = ({ status, body, headers }: Done): object => ({
  status,
  body,
  type: body === '' ? '' : headers['content-type'],
  own: headers['x-own'],
})

/** Starts both programs with the same hooks. */
export async function startBoth(options: BothOptions): Promise<BothPrograms> {
  const { flags = [], importFlags = [], settings = '', variables = {}, isSecure = false } = options
  const folder = await temporaryFolder()
  const noted = { there: join(folder, 'given-there'), here: join(folder, 'given-here') }
  await Promise.all(Object.values(noted).map((path) => mkdir(path)))
  const files = await writeHooks(folder, options.files)
  const imported = await runHere(['import', 'hooks', ...files, ...importFlags], folder, variables)
  if (imported.exitCode === 2) throw new Error(imported.stderr)
  const config = join(folder, 'config.yaml')
  const start = `host: 127.0.0.1\nport: 0\nstorage: { memory: true }\n${settings.replaceAll('PROBE', folder)}`
  await writeFile(config, start + imported.stdout, { mode: 0o600 })
  const [here, there] = await Promise.all([
    launchFile(config, [], { ...variables, GIVEN_DIR: noted.here }),
    startPeer(
      [
        ...files.flatMap((file) => ['-hooks', file]),
        ...flags.map((flag) => flag.replaceAll('PROBE', folder)),
      ],
      { ...variables, GIVEN_DIR: noted.there },
      isSecure,
    ),
  ])
  const one = async (url: string, notes: string, path: string, sent: Sent, runs: boolean) => {
    const seen = await readdir(notes)
    const answer = await exchange(`${url}${path}${sent.after ?? ''}`, sent)
    const given = runs ? await givenTo(notes, path.split('/').at(-1) ?? '', seen) : undefined
    return { ...answer, given }
  }
  return {
    config: imported.stdout,
    imported,
    folder,
    send: async (path, sent, runs) => ({
      there: await one(there.url, noted.there, path, sent, runs.there),
      here: await one(here.url, noted.here, path, sent, runs.here),
    }),
    runs: () => ({
      there: readdirSync(noted.there).length,
      here: readdirSync(noted.here).length,
    }),
    log: here.output,
    async stop() {
      there.child.kill()
      await here.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function writeHooks(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const paths: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await writeFile(path, text.replaceAll('PROBE', folder))
    if (!name.startsWith('hooks')) continue
    paths.push(path)
    for (const [, id = ''] of text.matchAll(/PROBE\/run-([\w-]+)/g)) {
      const program = join(folder, `run-${id}`)
      await writeFile(program, probe)
      await chmod(program, 0o755)
    }
  }
  return paths
}

async function startPeer(
  flags: readonly string[],
  variables: Readonly<Record<string, string>>,
  isSecure: boolean,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort()
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`
  const child = spawn(pathOf(webhookBinary), ['-ip', '127.0.0.1', '-port', `${port}`, ...flags], {
    stdio: 'ignore',
    env: { ...process.env, ...variables },
  })
  await until('adnanh/webhook listens', async () => (await exchange(url, { method: 'GET' })).status)
  return { child, url }
}

/** Sends exactly these headers: fetch would add its own, which hooks can pass on. */
function exchange(url: string, sent: Sent): Promise<Omit<Done, 'given'>> {
  const { method = 'POST', headers = {}, body = '' } = sent
  const request = url.startsWith('https') ? requestHttps : requestHttp
  const tls = sent.tlsVersion === undefined ? {} : { maxVersion: sent.tlsVersion }
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...length, ...headers } }
    const sending = request(url, { ...options, rejectUnauthorized: false, ...tls }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      )
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** What the newest command of a hook was given, once it has ended. */
async function givenTo(path: string, id: string, seen: readonly string[]): Promise<Given> {
  const folder = await until(`the command of ${id} has run`, async () => {
    const found = (await readdir(path)).find(
      (one) => one.startsWith(`run-${id}.`) && !seen.includes(one),
    )
    if (found === undefined) return undefined
    return (await readdir(join(path, found))).includes('ended') ? join(path, found) : undefined
  })
  const names = await readdir(folder)
  const textOf = async (file: string) =>
    names.includes(file) ? await readFile(join(folder, file), 'utf8') : ''
  const fileNames = names.filter((file) => file.startsWith('file-'))
  const files = await Promise.all(
    fileNames.map(async (file) => [file.slice('file-'.length), await textOf(file)] as const),
  )
  const env = Object.entries(variablesIn(await textOf('env'))).filter(
    ([key, value]) => !ownVariables.test(key) && process.env[key] !== value,
  )
  return {
    args: (await textOf('args')).split('\0').slice(0, -1),
    // The paths of files differ from run to run.
    env: Object.fromEntries(
      env.map(([key, value]) => [key, fileNames.includes(`file-${key}`) ? 'a file' : value]),
    ),
    folder: (await textOf('folder')).trim(),
    stdin: await textOf('stdin'),
    files: Object.fromEntries(files),
  }
}

function variablesIn(environ: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    environ
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}
