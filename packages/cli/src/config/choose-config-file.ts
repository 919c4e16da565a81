import { programFolders, thisStart } from '../program-folders.ts'
import { type FoundConfigFile, findConfigFile } from './find-config-file.ts'

/**
 * The named file; else the one next to the program, else the one in the working directory.
 *
 * @throws {Refused} if none is named and none is found.
 */
export async function chooseConfigFile(named: string | undefined): Promise<FoundConfigFile> {
  if (named !== undefined) return { path: named, ignored: [] }
  return findConfigFile([...programFolders(thisStart), process.cwd()])
}

/** A sentence for each ignored file. */
export function ignoredFileWarnings({ path, ignored }: FoundConfigFile): readonly string[] {
  return ignored.map((file) => `${file} is ignored: ${path} comes first`)
}
