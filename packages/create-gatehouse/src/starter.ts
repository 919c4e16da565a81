import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The files that apps are made from. */
export interface Starter {
  /** Texts by path, with slashes, relative to its `src`. */
  readonly sources: ReadonlyMap<string, string>
  /** Ranges of versions by package. */
  readonly versions: Readonly<Record<string, string>>
}

/** Reads the starter, which the package contains as a copy of `examples/starter`. */
export function readStarter(folder: string): Starter {
  const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const { dependencies, devDependencies, peerDependencies } = manifest
  const files = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const nameOf = (file: string): string =>
    file
      .slice(join(folder, 'src').length + 1)
      .split(sep)
      .join('/')
  return {
    sources: new Map(files.map((file) => [nameOf(file), readFileSync(file, 'utf8')])),
    versions: { ...dependencies, ...devDependencies, ...peerDependencies },
  }
}
