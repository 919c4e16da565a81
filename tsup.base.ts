import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Options } from 'tsup'
import { pureInitializers } from './tsup.pure.ts'

/**
 * The types of a package, made from the declarations that `tsc -b` has written: checking the sources once more for each package
 * took most of a build.
 */
export function typesOf(entry: Readonly<Record<string, string>>): NonNullable<Options['dts']> {
  const declarations = Object.entries(entry).map(([name, source]) => [
    name,
    source.replace(/^src\//, '.tsbuild/').replace(/\.ts$/, '.d.ts'),
  ])
  return {
    entry: Object.fromEntries(declarations),
    compilerOptions: { composite: false, ignoreDeprecations: '6.0' },
  }
}

/** Writes the licenses of packages that `dist` contains: they ask to be passed on with the code. */
export function writeLicenses(names: readonly string[]): void {
  const texts = names.map((name) => {
    const folders = ['node_modules', '../../node_modules'].map((folder) => `${folder}/${name}`)
    const files = folders.flatMap((folder) => [`${folder}/LICENSE`, `${folder}/LICENSE.md`])
    const file = files.find(existsSync)
    if (file === undefined) throw new Error(`${name} has no license file`)
    return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`
  })
  writeFileSync('dist/licenses-of-bundled-packages.txt', texts.join('\n\n'))
}

const entry = { index: 'src/index.ts' }

/** How a package is built: ES modules, CommonJS and types for Node.js, of one entry unless it says otherwise. */
export const base: Options = {
  entry,
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Output is not minified: stack traces have names and readable lines without maps, which are two thirds of a package.
  sourcemap: false,
  clean: true,
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
  dts: typesOf(entry),
  esbuildPlugins: [pureInitializers],
}
