import { createHash } from 'node:crypto'
import { type SampleMessage, type SampleOptions, sampleMessages } from '@gatehouse/core/auth'

/** A file of the preview. */
export interface PreviewFile {
  readonly text: string
  readonly type: 'text/html'
  /** Its content security policy, which a server sends. */
  readonly policy: string
}

const style = `
:root { color-scheme: light dark }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif }
nav { display: flex; flex-wrap: wrap; gap: 1rem }
section { margin: 2rem 0; border-top: 1px solid #8888; padding-top: 1rem }
h2 { margin: 0; font-size: 1.125rem }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; align-items: start }
iframe { width: 100%; height: 32rem; border: 1px solid #8888 }
pre { margin: 0 0 1rem; padding: .75rem; border: 1px solid #8888; white-space: pre-wrap; overflow-wrap: anywhere; font-family: inherit }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Frames show mails of the preview alone. */
const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Mails need styles of their own, and may show a logo. Nothing in them runs. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: http:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

/** All messages in all languages as pages, by their paths: `index.html`, one for each language, and one for each mail. */
export function previewFiles(options: SampleOptions): ReadonlyMap<string, PreviewFile> {
  const samples = sampleMessages(options)
  const languages = [...new Set(samples.map(({ language }) => language))]
  const links = `<nav>${languages.map((one) => `<a href="${one}.html">${one}</a>`).join('')}</nav>`
  const page = (title: string, body: string): PreviewFile => ({
    text: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body><h1>${title}</h1>${links}${body}</body></html>\n`,
    type: 'text/html',
    policy: pagePolicy,
  })
  const files = new Map([['index.html', page('Mails and SMS', '')]])
  for (const language of languages) {
    const own = samples.filter((sample) => sample.language === language)
    files.set(`${language}.html`, page(`Mails and SMS: ${language}`, own.map(section).join('')))
    for (const sample of own) {
      if (sample.html === undefined) continue
      files.set(mailPath(sample), { text: sample.html, type: 'text/html', policy: mailPolicy })
    }
  }
  return files
}

const mailPath = ({ language, name, form }: SampleMessage): string =>
  `${language}-${name}-${form}.html`

function section(sample: SampleMessage): string {
  const { name, form, subject, text, html, sms } = sample
  const shown = (part: string): string => `<pre dir="auto">${escaped(part)}</pre>`
  const frame =
    html === undefined
      ? ''
      : `<iframe sandbox loading="lazy" title="${name}, ${form}" src="${mailPath(sample)}"></iframe>`
  const message = sms === undefined ? '' : `<h3>SMS</h3>${shown(sms)}`
  return `<section><h2>${name}, ${form}</h2><p dir="auto">${escaped(subject)}</p><div class="parts">${frame}<div>${shown(text)}${message}</div></div></section>\n`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
