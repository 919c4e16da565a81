import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'
import { buildPage } from '../console/build-page.ts'
import { directImports } from './direct-imports.ts'

/**
 * Packages that the program contains, without their unused parts: finding and evaluating hundreds of files was half of its start.
 * Other packages are loaded by the configurations that need them.
 */
const bundled = ['commander', 're2js', 'uuid', 'yaml', 'zod']

/** Their licenses ask to be passed on with the code. */
function writeLicenses(): void {
  const texts = bundled.map((name) => {
    const folders = ['node_modules', '../../node_modules'].map((folder) => `${folder}/${name}`)
    const files = folders.flatMap((folder) => [`${folder}/LICENSE`, `${folder}/LICENSE.md`])
    const file = files.find(existsSync)
    if (file === undefined) throw new Error(`${name} has no license file`)
    return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`
  })
  writeFileSync('dist/licenses-of-bundled-packages.txt', texts.join('\n\n'))
}

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
    writeLicenses()
    await buildPage(
      fileURLToPath(new URL('../console', import.meta.url)),
      `${process.cwd()}/dist/page`,
    )
  },
})
