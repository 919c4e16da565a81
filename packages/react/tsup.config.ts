import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { defineConfig, type Options } from 'tsup'
import { base, writeLicenses } from '../../tsup.base.ts'
import { embeddedStyles } from './build-styles.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Takes the screens of the sign-in pages from their sources, and gives them React in place of Preact. */
const sharedScreens: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-screens',
  setup(build) {
    build.onResolve({ filter: /^@gatehouse\/sign-in\// }, ({ path }) => ({
      path: pathOf(path.replace('@gatehouse/sign-in/', '../sign-in/src/')),
      sideEffects: false,
    }))
    build.onResolve({ filter: /^preact(?:\/|$)/ }, ({ path }) => ({
      path: pathOf(`src/runtime/${path.endsWith('jsx-runtime') ? 'jsx-runtime' : 'preact'}.ts`),
      sideEffects: false,
    }))
  },
}

// ES modules alone: bundlers load the screens when they are shown, and Node.js requires ES modules, too.
export default defineConfig({
  ...base,
  format: ['esm'],
  platform: 'neutral',
  target: 'es2022',
  // It would drop the directive, which frameworks with server components need.
  treeshake: false,
  banner: { js: "'use client'" },
  esbuildPlugins: [sharedScreens],
  esbuildOptions(options) {
    options.jsx = 'automatic'
    options.jsxImportSource = 'preact'
    options.mainFields = ['module', 'main']
  },
  async onSuccess() {
    const styles = embeddedStyles(readFileSync(pathOf('../sign-in/src/styles.css'), 'utf8'))
    const target = ['chrome123', 'firefox121', 'safari17.5']
    const { code } = await transform(styles, { loader: 'css', target, minify: true })
    writeFileSync('dist/styles.css', code)
    writeLicenses(['libphonenumber-js', 'uqr'])
  },
})
