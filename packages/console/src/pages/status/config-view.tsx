import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useParameter } from '../../route/route.ts'
import { partsAtLine, partsOf } from '../../status/find-in-text.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import classes from './status-page.module.css'

/** The configuration that runs, to search and to copy. The address may name a line of it. */
export function ConfigView({ text }: { text: string }): ReactNode {
  const { status } = useTexts()
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState(0)
  const [isCopied, setCopied] = useState(false)
  const wanted = useDeferredValue(search)
  const [written] = useParameter('line')
  const line = Number(written)
  const parts = useMemo(
    () => (wanted.trim() === '' && line > 0 ? partsAtLine(text, line) : partsOf(text, wanted)),
    [text, wanted, line],
  )
  const count = (parts.length - 1) / 2
  const shown = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (line > 0) shown.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [line])
  const goTo = (next: number): void => {
    const index = count === 0 ? 0 : (next + count) % count
    setCurrent(index)
    shown.current?.querySelector(`[data-match="${index}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <section aria-labelledby="config-title">
      <h2 id="config-title" className={classes.part}>
        {status.config}
      </h2>
      <p className={classes.quiet}>{status.configDetail}</p>
      <div className={classes.tools}>
        <TextInput
          type="search"
          aria-label={status.searchConfig}
          placeholder={status.searchConfig}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value)
            setCurrent(0)
          }}
          onKeyDown={({ key, shiftKey }) => {
            if (key === 'Enter') goTo(current + (shiftKey ? -1 : 1))
          }}
        />
        <span role="status" className={classes.found}>
          {wanted.trim() !== '' && status.found(count === 0 ? 0 : current + 1, count)}
        </span>
        <Button
          size="xs"
          variant="default"
          onClick={async () => setCopied(await copy(text, shown.current))}
        >
          {isCopied ? status.copied : status.copy}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reached by keys */}
      <pre ref={shown} className={classes.config} tabIndex={0}>
        {parts.map(({ text: part, match }, index) =>
          match === undefined ? (
            part
          ) : (
            <mark
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts are one text
              key={index}
              data-match={match}
              data-current={match === current || undefined}
            >
              {part}
            </mark>
          ),
        )}
      </pre>
    </section>
  )
}

/** Copies a text. Where the browser does not allow it, as without TLS, selects it, so that a key copies it. */
async function copy(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (element !== null) getSelection()?.selectAllChildren(element)
    return false
  }
}
