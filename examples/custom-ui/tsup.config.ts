import { defineConfig, type Options } from 'tsup'

const page: Options = { platform: 'browser', noExternal: [/./], minify: true, splitting: false }
export default defineConfig([
  { format: 'esm', silent: true, entry: ['src/server.ts'] },
  { format: 'esm', silent: true, entry: ['page/page.tsx'], ...page },
])
