import { cpSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'

export default defineConfig({
  ...base,
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  dts: false,
  onSuccess: async () => {
    for (const name of ['package.json', 'src']) {
      cpSync(`../../examples/starter/${name}`, `dist/starter/${name}`, { recursive: true })
    }
  },
})
