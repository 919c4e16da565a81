import { memo, type ReactNode, useState } from 'react'
import type { AnsiStyle } from '../../output/ansi.ts'
import type { OutputLine } from '../../output/output-lines.ts'
import { lineParts } from '../../output/search-lines.ts'
import { useTexts } from '../../texts/texts.ts'
import classes from './output-view.module.css'

/** The characters that are shown of a long line before the user asks for the rest. */
const folded = 1_000

/** One line of output with its number; `err` marks those of the error stream. `text` is that of the line, which may grow. */
export const OutputRow = memo(function OutputRow({
  line,
  word,
  isCurrent,
  href,
}: {
  line: OutputLine
  text: string
  word: string
  isCurrent: boolean
  /** The address of the line. */
  href: string
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const [isWhole, setWhole] = useState(false)
  const most = isWhole || isCurrent ? Number.POSITIVE_INFINITY : folded
  const { parts, hidden } = lineParts(line, word, most)
  const isError = line.stream === 'stderr'
  let at = 0
  return (
    <div className={classes.line} data-stream={line.stream} data-current={isCurrent || undefined}>
      <span className={classes.number}>
        {line.number !== undefined && (
          // The list has thousands of lines: the key Tab goes past their links.
          <a href={href} tabIndex={-1} aria-label={texts.toLine(line.number)}>
            {line.number}
          </a>
        )}
      </span>
      <span className={classes.mark}>
        {isError && <abbr title="stderr">{texts.errorMark}</abbr>}
      </span>
      <span className={classes.text} dir="ltr">
        {parts.map(({ text, style, isFound }) => {
          const key = at
          at += text.length
          return isFound ? (
            <mark key={key}>{text}</mark>
          ) : (
            <span key={key} {...looks(style)}>
              {text}
            </span>
          )
        })}
        {hidden > 0 && (
          <button type="button" className={classes.fold} onClick={() => setWhole(true)}>
            {texts.fold(hidden)}
          </button>
        )}
      </span>
    </div>
  )
})

function looks(style: AnsiStyle): Readonly<Record<string, string | undefined>> {
  const { foreground, background, inverse, bold, dim, italic, underline, strike } = style
  const names = Object.entries({ bold, dim, italic, underline, strike })
    .filter(([, isOn]) => isOn)
    .map(([name]) => classes[name])
  return {
    // Text on a colour of its own is dark or light as that needs.
    'data-color': inverse || background ? undefined : foreground,
    // Inverse text without a colour is like text on white.
    'data-background': inverse ? (foreground ?? 'white') : background,
    className: names.length === 0 ? undefined : names.join(' '),
  }
}
