import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathOf, slapdBinary } from './binaries.ts'
import { freePort } from './free-port.mjs'

/** A real LDAP server (OpenLDAP) with `dc=harborlight,dc=example`. */
export interface Directory {
  readonly port: number
  readonly securePort: number
  /** The account that may search: its DN and password. */
  readonly account: { readonly dn: string; readonly password: string }
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/** Options of {@link startDirectory}. */
export interface DirectoryOptions {
  /** The entries below the base, as LDIF. @see RFC 2849 */
  readonly ldif: string
  /** The server's certificate and key, as PEM. */
  readonly certificate: string
  readonly key: string
}

const base = 'dc=harborlight,dc=example'
const account = { dn: `cn=gatehouse,${base}`, password: 'searching' }

/** Starts a directory. Anonymous clients may bind and nothing else. */
export async function startDirectory(options: DirectoryOptions): Promise<Directory> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-directory-'))
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  mkdirSync(join(folder, 'db'))
  const keyFile = write('key.pem', options.key)
  chmodSync(keyFile, 0o600)
  const config = write(
    'slapd.conf',
    `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${write('certificate.pem', options.certificate)}
TLSCertificateKeyFile ${keyFile}
database mdb
suffix "${base}"
rootdn "${account.dn}"
rootpw ${account.password}
directory ${join(folder, 'db')}
maxsize 10485760
access to attrs=userPassword by anonymous auth by * none
access to * by * none
`,
  )
  const root = `dn: ${base}\nobjectClass: dcObject\nobjectClass: organization\no: Harborlight\ndc: harborlight\n`
  const entries = write('entries.ldif', `${root}\n${options.ldif}`)
  const program = pathOf(slapdBinary)
  const added = spawnSync(program, ['-T', 'add', '-f', config, '-l', entries], { encoding: 'utf8' })
  if (added.status !== 0) throw new Error(`slapadd failed: ${added.stderr}`)
  const [port, securePort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`
  const server = spawn(program, ['-f', config, '-h', urls, '-d', '0'], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await accepts(securePort)); tries++) {
    if (tries > 600 || server.exitCode !== null) {
      await stop()
      throw new Error('slapd did not start')
    }
    await wait(50)
  }
  return { port, securePort, account, stop }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
