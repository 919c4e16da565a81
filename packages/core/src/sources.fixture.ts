import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface SourceFile {
  /** Relative to `packages/`, as `core/src/time/clock.ts`. */
  readonly path: string
  readonly text: string
  /** Without comments. */
  readonly code: string
  /** The imports, types too: a path like its own, or the name of a package. */
  readonly imports: readonly string[]
}

const packagesFolder = fileURLToPath(new URL('../../', import.meta.url))

/** The sources of all packages that are packed: no tests, and nothing that only tests import. */
export const sources: readonly SourceFile[] = readdirSync(packagesFolder)
  .flatMap((name) => sourcesBelow(`${name}/src`))
  .filter((path) => !/\.(test|fixture)\.ts$/.test(path))
  .map(readSource)

function sourcesBelow(folder: string): string[] {
  return readdirSync(packagesFolder + folder, { recursive: true })
    .map((name) => posix.join(folder, String(name)))
    .filter((path) => /\.tsx?$/.test(path))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(packagesFolder + path, 'utf8')
  const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    return fileName.startsWith('.') ? posix.join(posix.dirname(path), fileName) : fileName
  })
  const code = text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
  return { path, text, code, imports }
}
