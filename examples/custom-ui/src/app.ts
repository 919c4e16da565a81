import { readFileSync } from 'node:fs'
import { honoAdapter } from '@gatehouse/adapter-hono'
import type { AuthContext } from '@gatehouse/core'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { accountRoutes } from './account-routes.ts'
import { createFlowClient } from './flow-client.ts'
import { messagePage } from './pages/layout.ts'
import { type SignInOptions, signInRoutes } from './sign-in-routes.ts'

/** The pages run, load and embed only their own files, and their forms submit only to themselves. */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

const asset = (name: string): string =>
  readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8')

/** The service, with our own pages in front of it. */
export function createApp(
  auth: AuthContext,
  options: Pick<SignInOptions, 'profileFields'> = {},
): Hono {
  const { public_origin: origin, base_path: basePath } = auth.config.current.http
  const service = honoAdapter(auth.routes)
  // The environment gives the service the address of the browser. For a remote service: (path, init) => fetch(new URL(path, …),
  // init)
  const flows = createFlowClient((path, init, c) =>
    service.request(new URL(`${basePath}${path}`, c.req.url).href, init, c.env),
  )
  const app = new Hono()
  app.route('/', service) // it sets its own headers, so mount it before the headers of the pages

  app.use(
    secureHeaders({
      contentSecurityPolicy,
      strictTransportSecurity: false, // left to the proxy that terminates TLS
      // With `no-referrer`, browsers also hide the origin of forms.
      referrerPolicy: 'same-origin',
      xFrameOptions: 'DENY',
    }),
    csrf({ origin }),
    bodyLimit({ maxSize: 64 * 1024 }),
    async (c, next) => {
      await next()
      if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    },
  )
  for (const [name, type] of [
    ['style.css', 'text/css'],
    ['enhance.js', 'text/javascript'],
  ] as const) {
    const body = asset(name)
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
    app.get(`/${name}`, (c) => c.body(body, 200, headers))
  }
  app.route('/', signInRoutes({ flows, origin, now: () => auth.clock.now(), ...options }))
  app.route('/', accountRoutes(auth))

  app.notFound((c) => c.html(messagePage('Page not found', '', [['Home', '/']]), 404))
  app.onError((error, c) => {
    if (error instanceof HTTPException) {
      return c.html(messagePage('This cannot be sent', '', [['Home', '/']]), error.status)
    }
    console.error(error)
    return c.html(messagePage('This did not work', 'Try again in a while.', [['Home', '/']]), 500)
  })
  return app
}
