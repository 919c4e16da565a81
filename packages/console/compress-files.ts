import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:js|css|html|svg)$/

/** Writes `.br` and `.gz` beside every file of the page, so that nothing is compressed while it is served. */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!compressible.test(name)) continue
        const path = join(folder, name)
        const bytes = readFileSync(path)
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
