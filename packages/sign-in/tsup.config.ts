import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'
import { buildPage } from '../console/build-page.ts'

export default defineConfig({
  ...base,
  shims: true, // `import.meta.url` in CommonJS
  onSuccess: () => buildPage(process.cwd(), `${process.cwd()}/dist/sign-in`, []),
})
