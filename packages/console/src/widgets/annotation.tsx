import { Button } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import classes from './annotation.module.css'
import { clip } from './clip.ts'

const link = /https?:\/\/[^\s<>"'`]{1,2000}/g
const shortest = 400
const longest = 20_000

/** A text of an annotation: URLs of the web become links, nothing else is more than text. A long one is shown on demand. */
export function Annotation({ text }: { text: string }): ReactNode {
  const { states } = useTexts()
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <bdi className={classes.text}>{linked(clip(text, isWhole ? longest : shortest))}</bdi>
      {text.length > shortest && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? states.less : states.more}
        </Button>
      )}
    </>
  )
}

function linked(text: string): ReactNode {
  const parts: ReactNode[] = []
  let at = 0
  for (const found of text.matchAll(link)) {
    // A full stop after a URL ends the sentence.
    const url = found[0].replace(/[.,;:!?)\]…]+$/, '')
    parts.push(<Fragment key={`t${at}`}>{text.slice(at, found.index)}</Fragment>)
    parts.push(
      <a key={`l${found.index}`} href={url} target="_blank" rel="noopener noreferrer">
        {url}
      </a>,
    )
    at = found.index + url.length
  }
  parts.push(<Fragment key={`t${at}`}>{text.slice(at)}</Fragment>)
  return parts
}

/** The URL if it is one of the web; alerts come from strangers, and `javascript:` is a URL, too. */
export function webUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\/\S{1,2000}$/i.test(text) ? text : undefined
}
