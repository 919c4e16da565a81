import { isAbsolute } from 'node:path'

/**
 * Returns an absolute path unchanged and resolves a relative one against a folder. Keeps `..`, so that the system follows links
 * as it would inside the folder.
 */
export function pathFrom(directory: string, path: string): string {
  if (isAbsolute(path)) return path
  const relative = path.replace(/^(?:\.\/+)+/, '')
  if (relative === '' || relative === '.') return directory
  return directory.endsWith('/') ? directory + relative : `${directory}/${relative}`
}
