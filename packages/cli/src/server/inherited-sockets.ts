import { spawnSync } from 'node:child_process'
import type { ListenPlace } from './listen-address.ts'
import { listenVariables, readListenVariables } from './listen-variables.ts'

/** The sockets that a service manager, such as systemd, has opened for this process. */
export interface InheritedSockets {
  readonly places: readonly ListenPlace[]
  /** Probable mistakes of the operator, one sentence each. */
  readonly warnings: readonly string[]
}

/** The answer of the process that looks at one descriptor. */
interface Seen {
  readonly address?: string
  readonly port?: number
  /** Whether it is a connection. */
  readonly isConnected?: boolean
  readonly isUnusable?: boolean
}

/**
 * Finds the sockets that the environment tells this process of. Their variables are removed, so that commands that the process
 * starts do not take the sockets for theirs.
 *
 * @throws {Error} if one of them is not a stream socket that listens.
 */
export function takeInheritedSockets(environment: NodeJS.ProcessEnv): InheritedSockets {
  const { descriptors, warnings } = readListenVariables(environment, process.pid)
  for (const name of listenVariables) delete environment[name]
  const seen = descriptors.length === 0 ? [] : look(descriptors)
  return { warnings, places: descriptors.map((fd, index) => placeOf(fd, seen[index])) }
}

function placeOf(fd: number, seen: Seen = { isUnusable: true }): ListenPlace {
  const { address: host, port } = seen
  if (seen.isUnusable) {
    throw new Error(`descriptor ${fd} (LISTEN_FDS) is not a stream socket: set ListenStream`)
  }
  if (seen.isConnected) {
    throw new Error(`descriptor ${fd} (LISTEN_FDS) is a connection: set Accept=no`)
  }
  return host === undefined || port === undefined ? { fd } : { fd, host, port }
}

/** The program of {@link look}. Its arguments are descriptors. */
const looker = `
const { Socket } = require('node:net')
const seen = process.argv.slice(1).map(Number).map((fd) => {
  try {
    const socket = new Socket({ fd, readable: false, writable: false })
    const { address, port } = socket.address()
    return { address, port, isConnected: socket.remoteAddress !== undefined }
  } catch {
    return { isUnusable: true }
  }
})
process.stdout.write(JSON.stringify(seen))
`

/**
 * The addresses of sockets. Where a server listens decides what it warns of and which hosts it accepts, so that must be known
 * before it serves. Another process looks: Node.js reads the address of a descriptor only by opening it, and this process could
 * then neither open it again to serve nor, with workers, leave it to them.
 */
function look(descriptors: readonly number[]): readonly Seen[] {
  const { error, status, stdout } = spawnSync(
    process.execPath,
    ['-e', looker, ...descriptors.map(String)],
    {
      // Options for the server, such as a debugger, are not for the other process.
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'ignore', ...descriptors],
      encoding: 'utf8',
    },
  )
  if (error !== undefined || status !== 0) {
    const reason = error === undefined ? `exit code ${status}` : error.message
    throw new Error(`cannot use the sockets of the service manager (LISTEN_FDS): ${reason}`)
  }
  return JSON.parse(stdout)
}
