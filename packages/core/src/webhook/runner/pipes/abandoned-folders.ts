import { isOurs, namesIn, remove } from './files.ts'
import { isAbandoned } from './status-line.ts'

/** The socket that marks a folder made by `makeFolder` as in use. */
export const lineIn = (folder: string): string => `${folder}/line`

/** Removes the folders in `parent` of processes that were killed. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of namesIn(parent)) {
    const folder = `${parent}/${name}`
    if (isOurs(name) && (await isAbandoned(lineIn(folder)))) remove(folder)
  }
}
