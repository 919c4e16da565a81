import { isAbsolute } from 'node:path'

/**
 * A path as it is; a relative one counted from a folder. `..` stays in it, so that the system follows links as it would from
 * inside of the folder.
 */
export function pathFrom(directory: string, path: string): string {
  if (isAbsolute(path)) return path
  const relative = path.replace(/^(?:\.\/+)+/, '')
  if (relative === '' || relative === '.') return directory
  return directory.endsWith('/') ? directory + relative : `${directory}/${relative}`
}
