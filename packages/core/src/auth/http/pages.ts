import { sha256Hex } from '../../crypto/crypto.ts'
import { type Answer, escapeHtml, textAnswer } from '../../http/answer.ts'

/** A page for users who open a link. Its texts are plain text, not HTML. */
export interface Page {
  readonly status: number
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Posts back to the page's own URL. */
  readonly button?: string
  /** Where to go on. */
  readonly link?: { readonly href: string; readonly text: string }
  /** A code for the user to copy. */
  readonly code?: string
}

const style = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1f; --quiet: #55565c; --line: #c6c7cc; --accent: #0b57d0; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17181b; --ink: #e9e9ec; --quiet: #b4b5bb; --line: #4a4b51; --accent: #a8c7fa; --on-accent: #062e6f }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; padding: 2rem 1.5rem }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem; color: var(--quiet) }
a { color: var(--accent) }
button { padding: .75rem 1.5rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
code { display: block; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; font-size: 1rem; overflow-wrap: anywhere; user-select: all }
`

/** Forbids scripts, external resources and framing, and lets the form post only to this origin. */
function securityPolicy(): string {
  const hash = Buffer.from(sha256Hex(style), 'hex').toString('base64')
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The answer with a page. */
export function pageAnswer({ status, title, paragraphs, button, code, link }: Page): Answer {
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(code === undefined ? [] : [`<code>${escapeHtml(code)}</code>`]),
    ...(link === undefined
      ? []
      : [`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`]),
    ...(button === undefined
      ? []
      : [`<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`]),
  ]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
  // The URL holds a code, which must not reach other servers' logs or an index.
  return textAnswer(status, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': securityPolicy(),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  })
}

/** The request that a link was sent for, in words. */
export interface ShownRequest {
  /** As `Firefox on Windows`. */
  readonly browser: string
  /** An IP address, with its country if known. */
  readonly place: string
  readonly time: string
}

/**
 * Asks for confirmation. Opening the link must have no effect, because mail scanners open links too. Names the request that goes
 * on, because a stranger may have asked for the link.
 */
export const confirmPage = (request: ShownRequest | undefined): Page => ({
  status: 200,
  title: 'Is it you?',
  paragraphs: [
    'Someone requested this link to prove that your address is theirs, on this device or on another one.',
    ...(request === undefined
      ? []
      : [`It was ${request.browser}, at ${request.place}, on ${request.time}.`]),
    'Confirm only if it was you. Confirming lets them continue.',
  ],
  button: 'Yes, confirm',
})

/** Asks before sessions end: mail scanners open links, too. */
export const notMePage: Page = {
  status: 200,
  title: 'Was it not you?',
  paragraphs: [
    'If you did not sign in, end that session. That browser is signed out at once, and so is every other that signed in after it.',
  ],
  button: 'End that session',
}

/** Says that a session has ended, and leads to a new password. */
export const disownedPage = (href: string | undefined): Page => ({
  status: 200,
  title: 'That session has ended',
  paragraphs: ['Now change your password: someone may know it.'],
  ...(href === undefined ? {} : { link: { href, text: 'Change the password' } }),
})

/** Confirms that a link was approved. */
export const approvedPage: Page = {
  status: 200,
  title: 'Confirmed',
  paragraphs: ['Go back to where you asked for the link. You can close this page.'],
}

/** Shows the code of a recovery link if the host has no page for it. */
export const recoveryPage = (code: string): Page => ({
  status: 200,
  title: 'Reset your password',
  paragraphs: ['Go back to where you asked for the link, and enter this code:'],
  code,
})

/** The page for an invalid or expired link. */
export const deadLinkPage = (status: number): Page => ({
  status,
  title: 'This link is no longer good',
  paragraphs: [
    'It was used before, or it has expired. Go back to where you asked for it, and ask again.',
  ],
})

/** The page for a link in whose place a newer one was sent. */
export const replacedLinkPage = (status: number): Page => ({
  status,
  title: 'This link is no longer good',
  paragraphs: [
    'A newer link was sent in its place. Open the link in the newest message. If you did not ask for it, ignore both.',
  ],
})

/** The page for a failure. */
export const failurePage = (status: number, text: string): Page => ({
  status,
  title: 'This did not work',
  paragraphs: [text],
})
