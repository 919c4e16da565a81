import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
  dts: { compilerOptions: { composite: false, ignoreDeprecations: '6.0' } },
})
