import { html } from 'hono/html'

/** Escaped HTML, as `html` makes it. */
export type Html = ReturnType<typeof html>

/** A page before the frame is put around it. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** Said first, before the title, to who hears the page. */
  readonly hasProblems?: boolean
  /** Where the browser goes by itself. */
  readonly onwardTo?: string
}

/** A whole page. It has one `h1`, which is its title. */
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

/** A page that says something, and where to go from there. */
export function messagePage(title: string, text: string, links: readonly Link[]): Html {
  return layout({ title, body: html`<p>${text}</p>${linkList(links)}` })
}

/** A text and where it leads. */
export type Link = readonly [text: string, href: string]

export function linkList(links: readonly Link[]): Html {
  if (links.length === 0) return html``
  const items = links.map(([text, href]) => html`<li><a href="${href}">${text}</a></li>`)
  return html`<ul class="links">${items}</ul>`
}
