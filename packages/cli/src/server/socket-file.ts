import { lstat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'

/** The user and the group of the server may connect. */
export const socketMode = 0o660

/**
 * Makes room for a socket file: removes one that a server has left behind.
 *
 * @throws {Error} if a server listens there, or the file is not a socket.
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
  throw new Error('a file that is not a socket is in the way')
}

/** Only a refused connection means that the server is gone. A busy one may fail in other ways. */
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
