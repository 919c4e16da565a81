import type { Session, UserDetails } from '@gatehouse/core'
import { html } from 'hono/html'
import { type Html, layout, linkList } from './layout.ts'

/** The name to show for a user: the preferred one, or their login id or user id. */
function nameOf({ standard_attributes: attributes, identities, id }: UserDetails): string {
  const { name, given_name: given, family_name: family } = attributes
  if (typeof name === 'string') return name
  const parts = [given, family].filter((part) => typeof part === 'string')
  if (parts.length > 0) return parts.join(' ')
  const [identity] = identities
  return identity?.type === 'login_id' ? identity.normalized : id
}

/** The page of the signed-in user, with their sessions. */
export function accountPage(
  user: UserDetails,
  current: Session,
  sessions: readonly Session[],
): Html {
  const rows = sessions.map((session) => {
    const isCurrent = session.id === current.id
    return html`<li>
<p><strong>${session.last_accessed_user_agent ?? 'A browser'}</strong><br>
since ${instant(session.authenticated_at)}${isCurrent ? ', this one' : ''}</p>
${isCurrent ? '' : endForm(session)}
</li>`
  })
  return layout({
    title: nameOf(user),
    body: html`
<p>You are signed in${current.aal === 2 ? ', with a second factor' : ''}.</p>
<form method="post" action="/account/sign-out"><button type="submit">Sign out</button></form>
<h2>Where you are signed in</h2>
<ul class="sessions">${rows}</ul>
${linkList([['Home', '/']])}`,
  })
}

function endForm({ id }: Session): Html {
  return html`<form method="post" action="/account/end-session">
<input type="hidden" name="session" value="${id}">
<button type="submit" class="quiet">Sign out there</button>
</form>`
}

function instant(ms: number): Html {
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`
}

/** The home page, for signed-in and signed-out visitors. */
export function homePage(user: UserDetails | undefined): Html {
  if (user !== undefined) {
    const body = html`<p>Hello, ${nameOf(user)}.</p>${linkList([['Your account', '/account']])}`
    return layout({ title: 'Welcome back', body })
  }
  const links = linkList([
    ['Sign in', '/login'],
    ['Create an account', '/signup'],
  ])
  return layout({ title: 'Welcome', body: links })
}
