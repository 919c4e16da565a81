import { Fragment, type ReactNode } from 'react'

const link = /https?:\/\/[^\s<>"'`]{1,2000}/g
const longest = 4_000

/** A text of an annotation: URLs of the web become links, nothing else is more than text. */
export function Annotation({ text }: { text: string }): ReactNode {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  const parts: ReactNode[] = []
  let at = 0
  for (const found of shown.matchAll(link)) {
    // A full stop after a URL ends the sentence.
    const url = found[0].replace(/[.,;:!?)\]]+$/, '')
    parts.push(<Fragment key={`t${at}`}>{shown.slice(at, found.index)}</Fragment>)
    parts.push(
      <a key={`l${found.index}`} href={url} target="_blank" rel="noopener noreferrer">
        {url}
      </a>,
    )
    at = found.index + url.length
  }
  parts.push(<Fragment key={`t${at}`}>{shown.slice(at)}</Fragment>)
  return <bdi>{parts}</bdi>
}

/** The URL if it is one of the web; alerts come from strangers, and `javascript:` is a URL, too. */
export function webUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//i.test(text) ? text : undefined
}
