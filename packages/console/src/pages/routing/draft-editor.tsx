import { Input } from '@mantine/core'
import { type ReactNode, type Ref, useRef } from 'react'
import classes from './draft-editor.module.css'

/** A text with numbered lines, on which problems are marked. */
export function DraftEditor({
  label,
  description,
  value,
  badLines,
  areaRef,
  onChange,
}: {
  label: string
  description: string
  value: string
  badLines: ReadonlySet<number>
  areaRef: Ref<HTMLTextAreaElement>
  onChange: (text: string) => void
}): ReactNode {
  const numbers = useRef<HTMLDivElement>(null)
  const lines = value.split('\n').length
  return (
    <Input.Wrapper label={label} description={description} labelProps={{ htmlFor: 'draft' }}>
      <div className={classes.editor}>
        <div className={classes.gutter} aria-hidden="true">
          <div ref={numbers}>
            {Array.from({ length: lines }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its number
              <div key={index} data-bad={badLines.has(index + 1) || undefined}>
                {index + 1}
              </div>
            ))}
          </div>
        </div>
        <textarea
          ref={areaRef}
          id="draft"
          rows={20}
          value={value}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={badLines.size > 0}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (numbers.current === null) return
            numbers.current.style.transform = `translateY(${-currentTarget.scrollTop}px)`
          }}
        />
      </div>
    </Input.Wrapper>
  )
}
