import { isOurs, namesIn, remove } from './files.ts'
import { isAbandoned } from './status-line.ts'

/** The socket that a process listens on as long as it uses a folder made by `makeFolder`. */
export const lineIn = (folder: string): string => `${folder}/line`

/** Removes the folders in `parent` whose processes were killed before they could. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of namesIn(parent)) {
    const folder = `${parent}/${name}`
    if (isOurs(name) && (await isAbandoned(lineIn(folder)))) remove(folder)
  }
}
