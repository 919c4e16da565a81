import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base, writeLicenses } from '../../tsup.base.ts'
import { buildPage } from '../console/build-page.ts'
import { directImports } from './direct-imports.ts'

/**
 * Packages that the program contains, without their unused parts: finding and evaluating hundreds of files was half of its start.
 * Other packages are loaded by the configurations that need them.
 */
const bundled = ['commander', 're2js', 'uuid', 'yaml', 'zod']

export default defineConfig({
  ...base,
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  dts: false,
  noExternal: [/^@gatehouse\//, ...bundled],
  treeshake: false, // esbuild does it
  esbuildPlugins: [directImports],
  esbuildOptions(options) {
    options.conditions = ['@gatehouse/source', 'module']
    options.mainFields = ['module', 'main']
    options.banner = {
      // commander and yaml are CommonJS.
      js: "import { createRequire as requireFrom_ } from 'node:module'\nconst require = requireFrom_(import.meta.url)",
    }
  },
  onSuccess: async () => {
    writeLicenses(bundled)
    copyFileSync('../core/schemas/alertmanager.json', 'schemas/alertmanager.json')
    await buildPage(
      fileURLToPath(new URL('../console', import.meta.url)),
      `${process.cwd()}/dist/page`,
    )
    await buildPage(
      fileURLToPath(new URL('../sign-in', import.meta.url)),
      `${process.cwd()}/dist/sign-in`,
      [],
    )
  },
})
