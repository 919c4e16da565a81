import { readFileSync } from 'node:fs'
import { honoAdapter, requireSession } from '@gatehouse/adapter-hono'
import { type AuthContext, accountRoutes } from '@gatehouse/core'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** The service, and one page in front of it that does the rest in the browser. */
export function createApp(auth: AuthContext): Hono {
  const app = new Hono()
  const serve = (path: string, name: string, type: string): void => {
    const text = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
    app.get(path, (c) => c.body(text, 200, { 'content-type': type }))
  }
  app.route('/', honoAdapter([...auth.routes, ...accountRoutes(auth)]))
  // The pages run and load only their own files, and nobody frames them.
  const contentSecurityPolicy = { defaultSrc: ["'self'"], frameAncestors: ["'none'"] }
  app.use(secureHeaders({ contentSecurityPolicy }))
  app.use('/account', requireSession(auth))
  serve('/style.css', 'public/style.css', 'text/css')
  serve('/page.js', 'dist/page.js', 'text/javascript')
  for (const path of ['/login', '/signup', '/recovery', '/account'])
    serve(path, 'public/index.html', 'text/html')
  return app.get('/', (c) => c.redirect('/account'))
}
