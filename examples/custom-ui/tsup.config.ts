import { defineConfig } from 'tsup'

export default defineConfig([
  { entry: { server: 'src/server.ts' }, format: 'esm', silent: true },
  {
    entry: { page: 'page/page.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    noExternal: ['@gatehouse/client'],
    silent: true,
  },
])
