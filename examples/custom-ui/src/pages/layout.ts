import { html } from 'hono/html'

/** Escaped HTML, as `html` makes it. */
export type Html = ReturnType<typeof html>

/** A page without its frame. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** Screen readers read this before the title. */
  readonly hasProblems?: boolean
  /** Where the browser continues by itself. */
  readonly onwardTo?: string
}

/** A whole page. Its only `h1` is the title. */
export function layout({ title, body, hasProblems = false, onwardTo }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${onwardTo === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${onwardTo}">`}
<title>${hasProblems ? 'Problem: ' : ''}${title} · Harborlight</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="/enhance.js"></script>
</head>
<body>
<header><a href="/">Harborlight</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`
}

/** A page with a message and links. */
export function messagePage(title: string, text: string, links: readonly Link[]): Html {
  return layout({ title, body: html`<p>${text}</p>${linkList(links)}` })
}

/** The text of a link and its target. */
export type Link = readonly [text: string, href: string]

export function linkList(links: readonly Link[]): Html {
  if (links.length === 0) return html``
  const items = links.map(([text, href]) => html`<li><a href="${href}">${text}</a></li>`)
  return html`<ul class="links">${items}</ul>`
}
