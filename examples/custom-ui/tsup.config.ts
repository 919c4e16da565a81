import { defineConfig } from 'tsup'

const page = { platform: 'browser', noExternal: [/./], minify: true, splitting: false } as const
export default defineConfig([
  { format: 'esm', silent: true, entry: ['src/server.ts'] },
  { format: 'esm', silent: true, entry: ['page/page.tsx'], ...page },
])
