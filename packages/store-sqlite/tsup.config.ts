import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'

export default defineConfig({
  ...base,
  shims: true, // import.meta.url in the CommonJS build
})
