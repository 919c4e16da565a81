import { formatMatcher, type Matcher, readMatchers } from '@gatehouse/client'
import { Button, CloseButton } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { useTexts } from '../texts/texts.ts'
import { clip } from '../widgets/clip.ts'
import { MatcherInput } from '../widgets/matcher-input/matcher-input.tsx'
import classes from './matcher-field.module.css'

/** What the field holds: matchers one by one, and a text that is being written, which may be all of them. */
export interface WrittenMatchers {
  readonly matchers: readonly Matcher[]
  readonly text: string
  /** Whether they are written as one text. */
  readonly isText: boolean
}

/** A pattern may list dozens of values, and all of them matter. */
const longest = 10_000

/** All matchers, also that of the text; `undefined` while the text cannot be read. */
export function writtenMatchers({
  matchers,
  text,
}: WrittenMatchers): readonly Matcher[] | undefined {
  const written = readMatchers(text).matchers
  return written && [...matchers, ...written]
}

/** The matchers of a silence, each with its whole value, and a field to add one; or all of them as a text. */
export function MatcherField({
  value,
  onChange,
  problem,
  isFirst,
}: {
  value: WrittenMatchers
  onChange: (value: WrittenMatchers) => void
  /** What is wrong with the matchers, beside their grammar. */
  problem: string | undefined
  /** Whether the focus begins here. */
  isFirst: boolean
}): ReactNode {
  const { silences: texts } = useTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { matchers, text, isText } = value
  const all = writtenMatchers(value)
  const take = (written: string, others: readonly Matcher[] = matchers): void => {
    onChange({ matchers: others, text: written, isText: false })
    input.current?.focus()
  }
  const write = (written: string): void => {
    // A comma ends a matcher, as it does in the text of all.
    const isEnded = !isText && written.trimEnd().endsWith(',')
    const added = isEnded ? readMatchers(written).matchers : undefined
    if (added === undefined) onChange({ ...value, text: written })
    else onChange({ ...value, matchers: [...matchers, ...added], text: '' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.defaultPrevented || event.target !== input.current) return
    if (isText || text.trim() === '') return
    // Enter in an empty field creates the silence.
    event.preventDefault()
    if (all !== undefined) onChange({ matchers: all, text: '', isText })
  }
  return (
    <fieldset className={classes.field} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <span id={id} className={classes.label}>
          {texts.matchers}
        </span>
        <Button
          size="compact-xs"
          variant="subtle"
          // What cannot be read has no list.
          disabled={isText && all === undefined}
          onClick={() =>
            onChange(
              isText
                ? { matchers: all ?? [], text: '', isText: false }
                : { matchers: [], text: writtenText(value), isText: true },
            )
          }
        >
          {isText ? texts.asList : texts.asText}
        </Button>
      </div>
      {matchers.length > 0 && (
        <ul className={classes.matchers}>
          {matchers.map((matcher, index) => (
            <Chip
              // biome-ignore lint/suspicious/noArrayIndexKey: the same matcher may stand there twice
              key={index}
              matcher={matcher}
              // A text that cannot be read would be lost.
              isFixed={all === undefined}
              onEdit={() =>
                take(
                  formatMatcher(matcher),
                  all?.filter((_, at) => at !== index),
                )
              }
              onRemove={() =>
                take(
                  text,
                  matchers.filter((_, at) => at !== index),
                )
              }
            />
          ))}
        </ul>
      )}
      <MatcherInput
        key={String(isText)}
        label={isText ? texts.matchers : texts.addMatcher}
        {...(!isText && matchers.length > 0 && { placeholder: texts.addMatcher })}
        value={text}
        onChange={write}
        inputRef={input}
        isFirst={isFirst}
        isUnchecked
        serverProblem={problem}
      />
    </fieldset>
  )
}

/** One matcher: its text is a button that changes it. */
function Chip({
  matcher,
  isFixed,
  onEdit,
  onRemove,
}: {
  matcher: Matcher
  isFixed: boolean
  onEdit: () => void
  onRemove: () => void
}): ReactNode {
  const { silences: texts } = useTexts()
  const { name, value, isRegex, isEqual } = matcher
  const sign = isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!='
  const short = clip(formatMatcher(matcher), 100)
  return (
    <li className={classes.chip}>
      <button
        type="button"
        className={classes.text}
        disabled={isFixed}
        title={texts.changeMatcher(short)}
        onClick={onEdit}
      >
        <bdi className={classes.name}>{clip(name)}</bdi>
        <b className={classes.sign}>{sign}</b>
        <bdi>{value === '' ? '""' : clip(value, longest)}</bdi>
      </button>
      <CloseButton size="sm" aria-label={texts.removeMatcher(short)} onClick={onRemove} />
    </li>
  )
}

const writtenText = ({ matchers, text }: WrittenMatchers): string =>
  [...matchers.map(formatMatcher), ...(text.trim() === '' ? [] : [text])].join(', ')
