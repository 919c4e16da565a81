/** The descriptor of the first socket of a service manager. @see sd_listen_fds(3) */
const firstDescriptor = 3
/** More are a mistake: each has a server of its own. */
const maxSockets = 64

/** The variables of socket activation, as far as they are meant for one process. */
export interface ListenVariables {
  /** The descriptors of sockets that listen already. */
  readonly descriptors: readonly number[]
  /** Probable mistakes of the operator, one sentence each. */
  readonly warnings: readonly string[]
}

/** The variables by which systemd tells a process of sockets. */
export const listenVariables: readonly string[] = [
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_PIDFDID',
  'LISTEN_FDNAMES',
]

/**
 * Reads the variables of socket activation. Those that name another process are ignored.
 *
 * @throws {Error} if the number of sockets is not one.
 * @see sd_listen_fds(3)
 */
export function readListenVariables(
  { LISTEN_FDS: written, LISTEN_PID: owner }: Readonly<Record<string, string | undefined>>,
  processId: number,
): ListenVariables {
  if (written === undefined || written === '0') return { descriptors: [], warnings: [] }
  if (owner !== `${processId}`) {
    const found = owner === undefined ? 'LISTEN_PID is not set' : `LISTEN_PID is ${owner}`
    const warning = `LISTEN_FDS is ignored: it is for another process (${found}, this one is ${processId}), so let the service manager start the server without a program in between`
    return { descriptors: [], warnings: [warning] }
  }
  const count = Number(written)
  if (!/^\d+$/.test(written) || count > maxSockets) {
    throw new Error(`LISTEN_FDS must be a number from 0 to ${maxSockets}`)
  }
  const descriptors = Array.from({ length: count }, (_, index) => firstDescriptor + index)
  return { descriptors, warnings: [] }
}
