import { lstat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'

/** Who may connect: the user and the group of the server. */
export const socketMode = 0o660

/**
 * Makes room for a socket file: one that a server has left behind is removed.
 *
 * @throws {Error} if a server listens there, or the file is something else.
 */
export async function clearSocketFile(path: string): Promise<void> {
  const isThere = await isSocket(path)
  if (!isThere) return
  if (await isAnswered(path)) throw new Error('another server listens there')
  await unlink(path)
}

async function isSocket(path: string): Promise<boolean> {
  try {
    if ((await lstat(path)).isSocket()) return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  throw new Error('the file is there and is no socket')
}

/** Whoever does not refuse is alive, also one that has no time for a connection now. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ path })
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', (error) => resolve(codeOf(error) !== 'ECONNREFUSED'))
  })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
