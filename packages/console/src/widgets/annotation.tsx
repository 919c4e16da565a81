import { Button } from '@mantine/core'
import { Fragment, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import classes from './annotation.module.css'
import { clip } from './clip.ts'
import { type Inline, readMarkdown } from './markdown.ts'

const shortest = 400
const longest = 20_000

/** A text of an annotation, with a safe part of Markdown. A long one is shown on demand. */
export function Annotation({ text }: { text: string }): ReactNode {
  const { states } = useTexts()
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <bdi className={classes.text}>{rendered(clip(text, isWhole ? longest : shortest))}</bdi>
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

const numbered = <T,>(all: readonly T[]): readonly { readonly key: string; readonly one: T }[] =>
  all.map((one, index) => ({ key: `${index}`, one }))

function rendered(text: string): ReactNode {
  return numbered(readMarkdown(text)).map(({ key, one: block }) => {
    if (block.kind === 'code') {
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre key={key} className={classes.code} tabIndex={0}>
          {block.text}
        </pre>
      )
    }
    if (block.kind === 'list') {
      return (
        <ul key={key} className={classes.list}>
          {numbered(block.items).map((item) => (
            <li key={item.key}>{inline(item.one)}</li>
          ))}
        </ul>
      )
    }
    return numbered(block.lines).map((line) => (
      <Fragment key={`${key}.${line.key}`}>
        {line.key !== '0' && '\n'}
        {inline(line.one)}
      </Fragment>
    ))
  })
}

function inline(parts: readonly Inline[]): ReactNode {
  return numbered(parts).map(({ key, one: part }) => {
    if (part.kind === 'link') {
      return (
        <a key={key} href={part.url} title={part.url} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      )
    }
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>
    if (part.kind === 'code') return <code key={key}>{part.text}</code>
    return <Fragment key={key}>{part.text}</Fragment>
  })
}

/** The URL if it is one of the web; alerts come from strangers, and `javascript:` is a URL, too. */
export function webUrl(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\/\S{1,2000}$/i.test(text) ? text : undefined
}
