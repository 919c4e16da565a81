import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.ts'

// For browsers, too: nothing of Node.js may be needed.
export default defineConfig({ ...base, platform: 'neutral', target: 'es2022' })
