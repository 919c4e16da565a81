import type { ConfigPreview } from '@gatehouse/client'
import { Input } from '@mantine/core'
import { type CSSProperties, type ReactNode, type Ref, useRef } from 'react'
import { visible } from '../../widgets/visible.ts'
import classes from './draft-editor.module.css'

/** Where a line begins, as the style sheet has its height. */
const topOf = (line: number): CSSProperties => ({ top: `${(line - 1) * 1.5}em` })

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
  const bad = [...new Map(problems.map(({ line, message }) => [line, message]))]
  const lines = value.split('\n').length
  return (
    <Input.Wrapper label={label} description={description} labelProps={{ htmlFor: 'draft' }}>
      <div className={classes.editor}>
        <div className={classes.gutter} aria-hidden="true">
          <div ref={numbers}>
            {/* One text: an element for each of 20,000 lines would freeze the page. */}
            <pre>{Array.from({ length: lines }, (_, index) => index + 1).join('\n')}</pre>
            {bad.map(([line]) => (
              <div key={line} data-bad style={topOf(line)}>
                {line}
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
          aria-invalid={bad.length > 0}
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
          {bad.map(([line, message]) => (
            <p key={line} style={topOf(line)}>
              {visible(message)}
            </p>
          ))}
        </div>
      </div>
    </Input.Wrapper>
  )
}
