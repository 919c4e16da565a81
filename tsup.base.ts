import type { Options } from 'tsup'

/** How a package is built: ES modules, CommonJS and types for Node.js, of one entry unless it says otherwise. */
export const base: Options = {
  entry: { index: 'src/index.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Output is not minified: stack traces have names and readable lines without maps, which are two thirds of a package.
  sourcemap: false,
  clean: true,
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
  dts: { compilerOptions: { composite: false, ignoreDeprecations: '6.0' } },
}
