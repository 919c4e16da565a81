import type { Options } from 'tsup'

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
}
