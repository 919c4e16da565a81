import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { compressFiles } from './compress-files.ts'
import { dropUnusedStyles } from './drop-unused-styles.ts'

/**
 * Builds the page into a folder, which is emptied first. The page works below every path: its own files and the services are found
 * by relative URLs.
 *
 * @param root the folder of this package.
 */
export async function buildPage(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [react(), dropUnusedStyles(), compressFiles()],
    resolve: {
      alias: { '@gatehouse/client': `${root}/../client/src/index.ts` },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // An inlined file would need `data:` in the security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
    },
  })
}
