// A created app for Next.js with the middleware of the edge runtime in the place of `proxy.ts`: it is built, and its error names the way out.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from './created-apps.mjs'

/** @param {string} place the folder of the app; its `proxy.ts` is replaced */
export async function checkEdgeMiddleware(place) {
  const proxy = join(place, 'src/proxy.ts')
  const text = readFileSync(proxy, 'utf8').replace('const proxy', 'const middleware')
  writeFileSync(join(place, 'src/middleware.ts'), text)
  rmSync(proxy)
  execFileSync('npm', ['run', 'build'], { cwd: place, stdio: 'pipe' })
  const { origin, output, stop } = await startApp(place)
  try {
    const { status } = await fetch(`${origin}/dashboard`)
    if (status !== 500 || !output().includes('In Next.js 16 use proxy.ts')) {
      throw new Error(`edge middleware answers ${status}:\n${output()}`)
    }
  } finally {
    await stop()
  }
  console.log('ok  Next.js, edge middleware is told to use proxy.ts')
}
