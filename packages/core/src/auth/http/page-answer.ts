import { sha256Hex } from '../../crypto/crypto.ts'
import { type Answer, escapeHtml, textAnswer } from '../../http/answer.ts'
import { parseUrl } from '../../http/parse-url.ts'
import { type Brand, imageAddress } from '../messages/brand.ts'
import { isRightToLeft, languageName, wordsIn } from '../messages/words/languages.ts'

/** A page without scripts, for people. Its texts are plain text, not HTML. */
export interface Page {
  readonly status: number
  readonly title: string
  /** From another one than the app: shown above the title. */
  readonly emblem?: PageEmblem | undefined
  /** Below the title, from top to bottom. */
  readonly parts: readonly PagePart[]
  /** Makes the page a form, which its buttons send. */
  readonly form?: PageForm | undefined
  /**
   * How people get the same page in another language (default: the answer to a GET by its address, that to a POST not at all). Of an
   * answer to a POST, the values to send again to its address.
   */
  readonly repeat?: Readonly<Record<string, string>> | 'never' | undefined
}

/** The image of a party, else the first letter of its name. */
export interface PageEmblem {
  readonly name: string
  /** An `https:` address; others are not shown. */
  readonly image?: string | undefined
}

/** How a page is sent. */
export interface PageForm {
  /** Where to (default: the page's own URL). */
  readonly action?: string | undefined
  /** Values sent along, by name. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** An address at another origin that the answer redirects to. The page's policy lets the browser follow. */
  readonly leadsTo?: string | undefined
}

/** A button sends the form, with its value if it has one. */
export interface PageButton {
  readonly text: string
  readonly name?: string | undefined
  readonly value?: string | undefined
  /** `plain` for the other choice (default `primary`). */
  readonly look?: 'primary' | 'plain' | undefined
}

export interface PageLink {
  readonly href: string
  readonly text: string
}

/** One part of a page. */
export type PagePart =
  | { readonly kind: 'text'; readonly text: string }
  /** A text to be seen before a choice. */
  | { readonly kind: 'warning'; readonly text: string }
  /** Who reads, with a button to be someone else. */
  | {
      readonly kind: 'person'
      readonly label: string
      readonly name: string
      readonly detail?: string | undefined
      readonly button?: PageButton | undefined
    }
  | { readonly kind: 'list'; readonly title: string; readonly items: readonly string[] }
  | {
      readonly kind: 'facts'
      readonly facts: readonly { readonly name: string; readonly value: string }[]
    }
  /** A code to copy or to compare, or lines of a log below a title. */
  | { readonly kind: 'code'; readonly code: string; readonly title?: string | undefined }
  /** A field for a code. */
  | {
      readonly kind: 'code_field'
      readonly name: string
      readonly label: string
      readonly value: string
      readonly maxLength: number
      readonly problem?: string | undefined
    }
  /** Choices of one size, side by side. */
  | { readonly kind: 'buttons'; readonly buttons: readonly PageButton[] }
  | { readonly kind: 'links'; readonly links: readonly PageLink[] }

/** In which language and look a page is shown. */
export interface PageLook {
  readonly language: string
  readonly brand: Brand
  /** Where the logo is, if its address is a path. */
  readonly origin: string
  /** The page in each language that people may choose (default: they cannot). */
  readonly choices?: readonly LanguageChoice[] | undefined
}

/** A page in a language. The address is relative to the page. */
export interface LanguageChoice {
  readonly language: string
  readonly href: string
}

/** The properties of the sign-in pages, for services without these. */
const plainProperties = `
:root {
  color-scheme: light dark;
  --gh-accent: #0b57d0; --gh-on-accent: #fff; --gh-background: #fff; --gh-surface: #fff;
  --gh-text: #1b1b1f; --gh-muted: #55565c; --gh-border: #c6c7cc; --gh-danger: #b42318;
  --gh-radius: 8px; --gh-font: system-ui, sans-serif; --gh-logo-height: 36px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --gh-accent: #a8c7fa; --gh-on-accent: #062e6f; --gh-background: #17181b; --gh-surface: #17181b;
    --gh-text: #e9e9ec; --gh-muted: #b4b5bb; --gh-border: #4a4b51; --gh-danger: #ff9b8f;
  }
}
`

/** The look of the sign-in pages. */
const pageStyle = `
*, ::before, ::after { box-sizing: border-box }
html { background: var(--gh-background); -webkit-text-size-adjust: 100% }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1.5rem 1rem; color: var(--gh-text); font: .9375rem/1.5 var(--gh-font) }
h1, h2, p, ul, dl, dd { margin: 0 }
main { width: 100%; max-width: 26rem; min-width: 0; padding: 2.25rem; background: var(--gh-surface); overflow-wrap: anywhere }
.branded main { border: 1px solid color-mix(in srgb, var(--gh-border) 70%, transparent); border-radius: calc(var(--gh-radius) * 1.6); box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 8px 16px -4px rgb(0 0 0 / 5%), 0 24px 48px -16px rgb(0 0 0 / 10%) }
main, form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem }
main > form { margin: 0 }
.brand { display: flex; align-items: center; justify-content: center; gap: .625rem; margin-bottom: .25rem; font-weight: 650; font-size: 1.0625rem; letter-spacing: -.01em; min-width: 0 }
.brand img { display: block; height: var(--gh-logo-height); max-width: 100%; object-fit: contain }
.letter { flex: none; display: grid; place-items: center; width: var(--gh-logo-height); height: var(--gh-logo-height); border-radius: calc(var(--gh-radius) * .9); background: var(--gh-accent); color: var(--gh-on-accent); font-weight: 650; font-size: 1.125rem }
.emblem { justify-self: center; width: 3.5rem; height: 3.5rem; border-radius: calc(var(--gh-radius) * 1.2); object-fit: contain }
.emblem.letter, .person .letter { background: color-mix(in srgb, var(--gh-text) 8%, var(--gh-surface)); color: inherit }
.emblem.letter { font-size: 1.5rem }
h1 { font-size: 1.3125rem; line-height: 1.3; font-weight: 680; letter-spacing: -.018em; text-align: center; text-wrap: balance }
h2 { font-size: .875rem; font-weight: 620 }
:lang(ja) { word-break: auto-phrase }
:lang(ar) h1, :lang(ja) h1, :lang(ar) .brand, :lang(ja) .brand { letter-spacing: 0 }
p { color: var(--gh-muted); text-wrap: pretty }
h1 + p:not(:has(+ p)) { text-align: center }
p.brand, p.warning { color: inherit }
.warning { padding: .6875rem .875rem; border-radius: var(--gh-radius); font-size: .875rem; background: color-mix(in srgb, var(--gh-danger) 8%, var(--gh-surface)) }
.hint { color: var(--gh-danger) }
.person { display: flex; gap: .75rem; padding: .625rem .875rem; border: 1px solid var(--gh-border); border-radius: var(--gh-radius) }
.person div { flex: 1; display: grid; justify-items: start; min-width: 0 }
.person b { font-weight: 550 }
.person .letter { width: 2.25rem; height: 2.25rem; margin-top: .25rem; border-radius: 50% }
small, .hint, .links { font-size: .8125rem }
small { color: var(--gh-muted) }
section { display: grid; gap: .5rem }
ul { padding: 0; list-style: none }
section ul { border-block: 1px solid color-mix(in srgb, var(--gh-border) 60%, transparent) }
section li { position: relative; padding: .5625rem 0; padding-inline-start: 1.5rem }
section li + li { border-top: 1px solid color-mix(in srgb, var(--gh-border) 60%, transparent) }
section li::before { content: ""; position: absolute; inset-inline-start: .3125rem; top: 1rem; width: .5rem; height: .5rem; border-radius: 50%; background: var(--gh-accent) }
dl { display: grid; gap: .5rem; font-size: .875rem }
dl div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 1rem }
dt { color: var(--gh-muted) }
code { display: block; direction: ltr; padding: .75rem 1rem; border: 1px solid var(--gh-border); border-radius: var(--gh-radius); font: 550 1.125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; text-align: center; white-space: pre-wrap; user-select: all }
section code { font-size: .8125rem; text-align: start }
.field { display: grid; gap: .375rem }
label { font-weight: 550; font-size: .875rem }
input { width: 100%; min-height: 3.25rem; padding: .5rem .8125rem; border: 1px solid color-mix(in srgb, var(--gh-text) 22%, var(--gh-border)); border-radius: var(--gh-radius); background: var(--gh-surface); color: inherit; font: 600 1.25rem/1.2 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .15em; text-align: center; text-transform: uppercase; direction: ltr }
input:focus { outline: none; border-color: var(--gh-accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--gh-accent) 18%, transparent) }
input[aria-invalid] { border-color: var(--gh-danger) }
.buttons { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .625rem }
button { min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid transparent; border-radius: var(--gh-radius); background: var(--gh-accent); color: var(--gh-on-accent); font: inherit; font-weight: 570; cursor: pointer }
button:hover { background: color-mix(in srgb, var(--gh-accent) 88%, var(--gh-on-accent)) }
button.plain { background: var(--gh-surface); color: inherit; border-color: var(--gh-border) }
button.plain:hover { background: color-mix(in srgb, var(--gh-text) 4%, var(--gh-surface)) }
.person button { min-height: 2.25rem; margin-block: .125rem -.375rem; padding: 0 }
.person button, .person button:hover { border: 0; background: none }
a, .person button, .languages button { color: var(--gh-accent); font-weight: 550; text-decoration: underline 1px color-mix(in srgb, currentColor 35%, transparent); text-underline-offset: 3px }
a:hover, .person button:hover { text-decoration-color: currentColor }
.links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.25rem; margin-block: -.5rem -.75rem }
.links a { display: inline-block; padding: .625rem 0 }
.languages { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1rem; padding-top: .75rem; border-top: 1px solid color-mix(in srgb, var(--gh-border) 60%, transparent); margin-bottom: -1rem; font-size: .8125rem }
.languages > * { display: inline-block; padding: .5rem 0 }
.languages b { font-weight: 550 }
.languages button { min-height: 0; border: 0; font-weight: 400 }
.languages a, .languages button, .languages button:hover { font-weight: 400; background: none; color: var(--gh-muted) }
:focus-visible { outline: 2px solid var(--gh-accent); outline-offset: 2px }
@media (max-width: 30rem) {
  html { background: var(--gh-surface) }
  body { padding: 0; place-items: start center }
  .branded main { border: 0; border-radius: 0; box-shadow: none }
  main { padding: 1.5rem 1.25rem }
  dl div { grid-template-columns: minmax(0, 1fr); gap: 0 }
}
`

/** The icon of apps that have given none. Browsers would ask for `/favicon.ico`, which the app need not have. */
const noIcon = 'data:,'

/** The source of an image in a policy. A host may contain a semicolon, which would begin another directive. */
function sourceOf(image: string): string {
  if (image === noIcon) return 'data:'
  const origin = parseUrl(image)?.origin ?? ''
  return /^https?:\/\/[\w.:-]+$/.test(origin) ? origin : ''
}

/** Schemes of documents that a page itself could make. */
const innerSchemes: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
])

/**
 * Where a form may lead. Chromium asks the policy about every redirect after a form, also about those with which an app goes on
 * from its own callback to another host. So the policy names schemes, not the host.
 */
function formTargets(leadsTo: string | undefined): string {
  const scheme = leadsTo === undefined ? undefined : parseUrl(leadsTo)?.protocol
  if (scheme === undefined || innerSchemes.has(scheme)) return "'self'"
  return ["'self'", ...new Set(['https:', scheme])].join(' ')
}

/** Forbids scripts, external resources but these images, framing, and forms that lead elsewhere. */
function securityPolicy(
  style: string,
  images: readonly string[],
  leadsTo: string | undefined,
): string {
  const hash = Buffer.from(sha256Hex(style), 'hex').toString('base64')
  const sources = new Set(images.map(sourceOf).filter((source) => source !== ''))
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src ${[...sources].join(' ')}`,
    `form-action ${formTargets(leadsTo)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`

const letterOf = (name: string): string => {
  const [first] = new Intl.Segmenter().segment(name.replace(/[^\p{L}\p{N}]/gu, ''))
  return escapeHtml((first?.segment ?? '').toUpperCase())
}

function brandRow({ name = '', logo }: Brand, origin: string): string {
  const image = imageAddress(logo, origin)
  const text = escapeHtml(name)
  if (image !== '') return `<p class="brand"><img${attribute('src', image)} alt="${text}"></p>`
  if (text === '') return ''
  return `<p class="brand"><span class="letter" aria-hidden="true">${letterOf(name)}</span>${text}</p>`
}

/** The name of a party stands in the title, so its emblem has none. */
function emblemOf({ name, image }: PageEmblem): string {
  const address = secureAddress(image)
  return address === undefined
    ? `<span class="emblem letter" aria-hidden="true">${letterOf(name)}</span>`
    : `<img class="emblem"${attribute('src', address)} alt="">`
}

function secureAddress(image: string | undefined): string | undefined {
  const url = image === undefined ? undefined : parseUrl(image)
  return url?.protocol === 'https:' && sourceOf(url.href) !== '' ? url.href : undefined
}

const buttonOf = ({ text, name, value, look = 'primary' }: PageButton): string =>
  `<button type="submit"${attribute('name', name)}${attribute('value', value)}${look === 'plain' ? ' class="plain"' : ''}>${escapeHtml(text)}</button>`

const linkOf = ({ href, text }: PageLink): string =>
  `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${escapeHtml(text)}</a>`

/** A text that keeps its own direction, such as an address in an Arabic page. */
const apart = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`

const sectionOf = (title: string, content: string): string =>
  `<section><h2>${escapeHtml(title)}</h2>${content}</section>`

/** The HTML of one part. */
function partOf(part: PagePart): string {
  switch (part.kind) {
    case 'text':
      return `<p>${escapeHtml(part.text)}</p>`
    case 'warning':
      return `<p class="warning">${escapeHtml(part.text)}</p>`
    case 'person': {
      const { label, name, detail, button } = part
      const second = detail === undefined ? '' : `<small>${apart(detail)}</small>`
      return `<div class="person"><span class="letter" aria-hidden="true">${letterOf(name)}</span><div><small>${escapeHtml(label)}</small><b>${apart(name)}</b>${second}${button === undefined ? '' : buttonOf(button)}</div></div>`
    }
    case 'list': {
      const items = part.items.map((item) => `<li>${apart(item)}</li>`)
      return sectionOf(part.title, `<ul>${items.join('')}</ul>`)
    }
    case 'facts': {
      const facts = part.facts.map(
        ({ name, value }) => `<div><dt>${escapeHtml(name)}</dt><dd>${apart(value)}</dd></div>`,
      )
      return `<dl>${facts.join('')}</dl>`
    }
    case 'code': {
      const code = `<code>${escapeHtml(part.code)}</code>`
      return part.title === undefined ? code : sectionOf(part.title, code)
    }
    case 'code_field': {
      const { name, label, value, maxLength, problem } = part
      const invalid = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"'
      const hint =
        problem === undefined ? '' : `<span class="hint" id="problem">${escapeHtml(problem)}</span>`
      return `<div class="field"><label for="code">${escapeHtml(label)}</label><input id="code"${attribute('name', name)}${attribute('value', value)} maxlength="${maxLength}" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false"${invalid}>${hint}</div>`
    }
    case 'buttons':
      return `<div class="buttons">${part.buttons.map(buttonOf).join('')}</div>`
    case 'links':
      return `<div class="links">${part.links.map(linkOf).join('')}</div>`
  }
}

/** What a page shows below the brand: a form if its buttons send one. */
function contentOf({ title, emblem, parts, form }: Page): string {
  const content = [
    ...(emblem === undefined ? [] : [emblemOf(emblem)]),
    `<h1>${escapeHtml(title)}</h1>`,
    ...parts.map(partOf),
  ].join('\n')
  if (form === undefined) return content
  return `<form method="post"${attribute('action', form.action)}>
${content}
${hiddenFields(form.values ?? {})}
</form>`
}

/** The choices of the language: links to the same page, or buttons where only a form leads to it. */
function languagesOf({ repeat }: Page, { language, choices = [] }: PageLook): string {
  if (choices.length === 0 || repeat === 'never') return ''
  const label = attribute('aria-label', wordsIn(language).pages.language)
  const items = choices.map((choice) => {
    const text = escapeHtml(languageName(choice.language))
    const tag = attribute('lang', choice.language)
    if (choice.language === language) return `<b aria-current="true"${tag}>${text}</b>`
    return repeat === undefined
      ? `<a${attribute('href', choice.href)}${tag}>${text}</a>`
      : `<button type="submit"${attribute('formaction', choice.href)}${tag}>${text}</button>`
  })
  const list = `<nav class="languages"${label}>${items.join('')}</nav>`
  return repeat === undefined
    ? `\n${list}`
    : `\n<form method="post">${list}${hiddenFields(repeat)}</form>`
}

const hiddenFields = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(
      ([name, value]) =>
        `<input type="hidden"${attribute('name', name)}${attribute('value', value)}>`,
    )
    .join('\n')

/** The answer with a page, in the look of the app: HTML without scripts, which is not framed, cached or indexed. */
export function pageAnswer(page: Page, look: PageLook): Answer {
  const { language, brand, origin } = look
  const style = `${brand.styles ?? plainProperties}${pageStyle}`
  const icon = imageAddress(brand.icon, origin) || noIcon
  const images = [imageAddress(brand.logo, origin), secureAddress(page.emblem?.image) ?? '', icon]
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr'
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}"${brand.styles === undefined ? '' : ' class="branded"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="${escapeHtml(icon)}">
<style>${style}</style>
</head>
<body>
<main>
${brandRow(brand, origin)}
${contentOf(page)}${languagesOf(page, look)}
</main>
</body>
</html>
`
  // The URL may hold a code, which must not reach other servers' logs or an index.
  return textAnswer(page.status, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': securityPolicy(
      style,
      images.filter((image) => image !== ''),
      page.form?.leadsTo,
    ),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    vary: 'Accept-Language',
  })
}
