import type { ConfigPreview } from '@gatehouse/client'
import { Input } from '@mantine/core'
import { type ReactNode, type Ref, useRef } from 'react'
import { visible } from '../../widgets/visible.ts'
import classes from './draft-editor.module.css'

/** A text with numbered lines, on which problems are marked. */
export function DraftEditor({
  label,
  description,
  value,
  problems,
  areaRef,
  onChange,
}: {
  label: string
  description: string
  value: string
  problems: ConfigPreview['problems']
  areaRef: Ref<HTMLTextAreaElement>
  onChange: (text: string) => void
}): ReactNode {
  const [numbers, notes] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const badLines = new Set(problems.map(({ line }) => line))
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
            for (const { current } of [numbers, notes]) {
              if (current === null) continue
              current.style.transform = `translateY(${-currentTarget.scrollTop}px)`
            }
          }}
        />
        {/* The list of problems has them, too, for those who do not see where they stand. */}
        <div ref={notes} className={classes.notes} aria-hidden="true">
          {[...badLines].map((line) => (
            <p key={line} style={{ top: `calc(${line - 1} * 1.5em)` }}>
              {visible(problems.find((one) => one.line === line)?.message ?? '')}
            </p>
          ))}
        </div>
      </div>
    </Input.Wrapper>
  )
}
