import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'

export default defineConfig({
  ...base,
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  dts: false,
})
