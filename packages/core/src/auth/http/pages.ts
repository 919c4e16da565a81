import { sha256Hex } from '../../crypto/crypto.ts'
import { type Answer, escapeHtml, textAnswer } from '../../http/answer.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { type Brand, imageAddress } from '../messages/brand.ts'
import { filled, isRightToLeft, wordsIn } from '../messages/words/languages.ts'
import type { Words } from '../messages/words/words.ts'

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

/** In which language and look a page is shown. */
export interface PageLook {
  readonly language: string
  readonly brand: Brand
  /** Where the logo is, if its address is a path. */
  readonly origin: string
}

/** The properties of the sign-in pages, for services without these. */
const plainProperties = `
:root {
  color-scheme: light dark;
  --gh-accent: #0b57d0; --gh-on-accent: #fff; --gh-background: #fff; --gh-surface: #fff;
  --gh-text: #1b1b1f; --gh-muted: #55565c; --gh-border: #c6c7cc;
  --gh-radius: 8px; --gh-font: system-ui, sans-serif; --gh-logo-height: 36px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --gh-accent: #a8c7fa; --gh-on-accent: #062e6f; --gh-background: #17181b; --gh-surface: #17181b;
    --gh-text: #e9e9ec; --gh-muted: #b4b5bb; --gh-border: #4a4b51;
  }
}
`

const pageStyle = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--gh-background); color: var(--gh-text); font: 1.0625rem/1.5 var(--gh-font) }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.5rem; background: var(--gh-surface) }
.branded main { border: 1px solid var(--gh-border); border-radius: var(--gh-radius) }
img { display: block; height: var(--gh-logo-height); max-width: 100%; margin: 0 0 1.25rem }
.name { margin: 0 0 1.25rem; font-weight: 600 }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem; color: var(--gh-muted); overflow-wrap: anywhere }
a { color: var(--gh-accent) }
form { margin: 0 }
button { min-height: 2.75rem; padding: .75rem 1.5rem; border: 0; border-radius: var(--gh-radius); background: var(--gh-accent); color: var(--gh-on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--gh-text); outline-offset: 3px }
code { display: block; direction: ltr; padding: .75rem 1rem; border: 1px solid var(--gh-border); border-radius: var(--gh-radius); font-size: 1rem; overflow-wrap: anywhere; user-select: all }
@media (max-width: 30rem) { .branded main { border: 0 } }
`

/** The icon of apps that have given none. Browsers would ask for `/favicon.ico`, which the app need not have. */
const noIcon = 'data:,'

const sourceOf = (image: string): string =>
  image === noIcon ? 'data:' : (parseUrl(image)?.origin ?? '')

/** Forbids scripts, external resources but these images, and framing, and lets the form post only to this origin. */
function securityPolicy(style: string, images: readonly string[]): string {
  const hash = Buffer.from(sha256Hex(style), 'hex').toString('base64')
  const sources = new Set(images.map(sourceOf))
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src ${[...sources].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The answer with a page. */
export function pageAnswer(
  { status, title, paragraphs, button, code, link }: Page,
  { language, brand, origin }: PageLook,
): Answer {
  const style = `${brand.styles ?? plainProperties}${pageStyle}`
  const logo = imageAddress(brand.logo, origin)
  const icon = imageAddress(brand.icon, origin) || noIcon
  const name = escapeHtml(brand.name ?? '')
  const parts = [
    ...(logo === '' ? [] : [`<img src="${escapeHtml(logo)}" alt="${name}">`]),
    ...(logo !== '' || name === '' ? [] : [`<p class="name">${name}</p>`]),
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
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr'
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}"${brand.styles === undefined ? '' : ' class="branded"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(icon)}">
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
    'content-security-policy': securityPolicy(style, logo === '' ? [icon] : [logo, icon]),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    vary: 'Accept-Language',
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

/** The pages in one language. */
export interface PagesInLanguage {
  /**
   * Asks for confirmation. Opening the link must have no effect, because mail scanners open links too. Names the request that goes
   * on, because a stranger may have asked for the link.
   */
  confirm(request: ShownRequest | undefined): Page
  readonly approved: Page
  /** Asks before sessions end: mail scanners open links, too. */
  readonly notMe: Page
  /** Says that a session has ended, and leads to a new password. */
  disowned(href: string | undefined): Page
  /** Asks before a deletion is withdrawn. */
  keep(time: string): Page
  readonly kept: Page
  /** Shows the code of a recovery link if the host has no page for it. */
  recovery(code: string): Page
  /** For an invalid or expired link. */
  dead(status: number): Page
  /** For a link in whose place a newer one was sent. */
  replaced(status: number): Page
  /** For a failure, by the reason of its error. What an error says to developers is in the log alone. */
  failed(status: number, reason: string): Page
}

/** The pages in a language. */
export function pagesIn(language: string): PagesInLanguage {
  const words = wordsIn(language).pages
  const page = (title: string, ...paragraphs: readonly string[]): Page => ({
    status: 200,
    title,
    paragraphs,
  })
  return {
    confirm: (request) => ({
      ...page(
        words.confirmTitle,
        words.confirmFact,
        ...(request === undefined ? [] : [requestIn(words, request, language)]),
        words.confirmWarning,
      ),
      button: words.confirmButton,
    }),
    approved: page(words.approvedTitle, words.approvedAdvice),
    notMe: { ...page(words.notMeTitle, words.notMeFact), button: words.notMeButton },
    disowned: (href) => ({
      ...page(words.disownedTitle, words.disownedAdvice),
      ...(href === undefined ? {} : { link: { href, text: words.disownedLink } }),
    }),
    keep: (time) => ({
      ...page(words.keepTitle, filled(words.keepFact, { time: isolated(time, language) })),
      button: words.keepButton,
    }),
    kept: page(words.keptTitle, words.keptFact),
    recovery: (code) => ({ ...page(words.recoveryTitle, words.recoveryAdvice), code }),
    dead: (status) => ({ ...page(words.deadTitle, words.deadAdvice), status }),
    replaced: (status) => ({ ...page(words.deadTitle, words.replacedAdvice), status }),
    failed: (status, reason) => ({
      ...page(words.failedTitle, failureIn(words, reason)),
      status,
    }),
  }
}

function failureIn(words: Words['pages'], reason: string): string {
  switch (reason) {
    case 'Forbidden':
      return words.foreignAdvice
    case 'HTTPSRequired':
      return words.insecureAdvice
    case 'AccessControlViolated':
      return words.notYoursFact
    default:
      return words.failedAdvice
  }
}

function requestIn(words: Words['pages'], request: ShownRequest, language: string): string {
  const values = Object.entries(request).map(([name, value]) => [name, isolated(value, language)])
  return filled(words.confirmRequest, Object.fromEntries(values))
}

/** Addresses and times keep their own direction within a text of another. */
const isolated = (text: string, language: string): string =>
  isRightToLeft(language) ? `\u2068${text}\u2069` : text
