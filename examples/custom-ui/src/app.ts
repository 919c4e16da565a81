import { readFileSync } from 'node:fs'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { type AuthContext, accountRoutes } from '@gatehouse/core'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** The pages run and load only their own files. */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

/** The service, and one page in front of it that does the rest in the browser. */
export function createApp(auth: AuthContext): Hono {
  const app = new Hono()
  app.route('/', honoAdapter([...auth.routes, ...accountRoutes(auth)]))
  app.use(
    secureHeaders({
      contentSecurityPolicy,
      strictTransportSecurity: false, // left to the proxy that terminates TLS
      xFrameOptions: 'DENY',
    }),
  )
  for (const [path, file, type] of [
    ['/style.css', 'public/style.css', 'text/css'],
    ['/page.js', 'dist/page.js', 'text/javascript'],
  ] as const) {
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
    app.get(path, (c) => c.body(read(file), 200, headers))
  }
  const page = read('public/index.html')
  for (const path of ['/', '/login', '/signup', '/recover', '/reset', '/callback', '/account']) {
    app.get(path, (c) => c.html(page))
  }
  app.notFound((c) => c.html(page, 404))
  return app
}
