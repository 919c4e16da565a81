import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'

/** An open file without a name. */
export interface NamelessFile {
  readonly fd: number
  close(): void
}

/**
 * Writes bytes to a file that no other process can open by a path, in the first folder that works.
 *
 * @throws the error of the last folder that was tried.
 */
export async function writeNamelessFile(
  bytes: Uint8Array,
  folders: readonly string[],
): Promise<NamelessFile> {
  let problem: unknown
  for (const folder of folders) {
    try {
      return await writeNameless(folder, bytes)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

async function writeNameless(folder: string, bytes: Uint8Array): Promise<NamelessFile> {
  const own = await mkdtemp(`${folder}/gatehouse-`) // mode 0700
  try {
    const path = `${own}/input`
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
    const fd = openSync(path, 'r')
    return { fd, close: () => closeSync(fd) }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
