import {
  type AuthContext,
  getUser,
  logout,
  resolveSession,
  revokeSession,
  type Session,
} from '@gatehouse/core'
import { formatSetCookie, listSessions } from '@gatehouse/core/auth'
import { type Context, Hono } from 'hono'
import { accountPage, homePage } from './pages/account.ts'

/** The pages of a signed-in user. No flow runs here, so they call functions of the service. */
export function accountRoutes(auth: AuthContext): Hono {
  const app = new Hono()

  /** Stores the browser's user agent for the list of sessions. */
  function sessionOf(c: Context): Promise<Session | undefined> {
    const userAgent = c.req.header('user-agent')?.slice(0, 200)
    return resolveSession(auth, c.req.raw, userAgent === undefined ? {} : { userAgent })
  }

  app.get('/', async (c) => {
    const session = await sessionOf(c)
    return c.html(homePage(session && (await getUser(auth, session.user_id))))
  })

  app.get('/account', async (c) => {
    const session = await sessionOf(c)
    if (session === undefined) return signInFirst(c)
    const user = await getUser(auth, session.user_id)
    return c.html(accountPage(user, session, await listSessions(auth, user.id)))
  })

  app.post('/account/sign-out', async (c) => {
    for (const cookie of await logout(auth, c.req.raw)) {
      c.header('set-cookie', formatSetCookie(cookie), { append: true })
    }
    return c.redirect('/', 303)
  })

  app.post('/account/end-session', async (c) => {
    const session = await sessionOf(c)
    if (session === undefined) return signInFirst(c)
    const id = new URLSearchParams(await c.req.text()).get('session')
    const own = await listSessions(auth, session.user_id)
    const meant = own.find((one) => one.id === id)
    if (meant !== undefined) await revokeSession(auth, meant.id)
    return c.redirect('/account', 303)
  })

  return app
}

function signInFirst(c: Context): Response {
  return c.redirect('/login', 303)
}
