import { memo, type ReactNode, useState } from 'react'
import type { AnsiStyle } from '../../output/ansi.ts'
import type { OutputLine } from '../../output/output-lines.ts'
import { lineParts } from '../../output/search-lines.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import classes from './output-view.module.css'

/** The characters that are shown of a long line before the user asks for the rest. */
const folded = 1_000

/** One line of output with its number; `err` marks those of the error stream. `text` is that of the line, which may grow. */
export const OutputRow = memo(function OutputRow({
  line,
  text,
  word,
  isCurrent,
  href,
  title,
  size,
  isFolded = false,
  onFold,
}: {
  line: OutputLine
  text: string
  word: string
  isCurrent: boolean
  /** The address of the line; `undefined` for a further part of a line. */
  href: string | undefined
  /** Of the section that begins here, with the number of its lines. */
  title?: string | undefined
  size?: number | undefined
  isFolded?: boolean
  /** Folds the section of a line, or opens it. */
  onFold: (line: OutputLine) => void
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const [isWhole, setWhole] = useState(false)
  const most = isWhole || isCurrent ? Number.POSITIVE_INFINITY : folded
  const { parts, hidden } = lineParts({ ...line, text }, word, most)
  const isError = line.stream === 'stderr'
  let at = 0
  return (
    <div
      className={classes.line}
      data-stream={line.stream}
      data-current={isCurrent || undefined}
      data-heading={title === undefined ? undefined : true}
    >
      <span className={classes.number}>
        {line.number !== undefined && (
          // The list has thousands of lines: the key Tab goes past their links.
          <a href={href} tabIndex={-1} aria-label={texts.toLine(line.number, isError)}>
            {line.number}
          </a>
        )}
      </span>
      <span className={classes.mark}>
        {isError && <abbr title="stderr">{texts.errorMark}</abbr>}
        {title !== undefined && (
          <button
            type="button"
            className={classes.section}
            aria-expanded={!isFolded}
            aria-label={texts.section(title)}
            onClick={() => onFold(line)}
          >
            <Icon name={isFolded ? 'right' : 'down'} size={14} />
          </button>
        )}
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
        {isFolded && size !== undefined && (
          <span className={classes.size}>{texts.folded(size)}</span>
        )}
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
