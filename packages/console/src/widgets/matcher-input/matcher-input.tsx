import { readMatchers } from '@gatehouse/client'
import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../icon.tsx'
import { type Completion, completionsAt } from './completions.ts'
import classes from './matcher-input.module.css'
import { useKnownLabels } from './use-known-labels.ts'

/**
 * A field for matchers in Alertmanager's syntax. Completes names and values of all alerts; says what is wrong and where; calls `onChange` only
 * with texts that are right, unless it `isUnchecked`.
 */
export function MatcherInput({
  value,
  onChange,
  label,
  placeholder = 'severity="critical", team=~"db|web"',
  inputRef,
  serverProblem,
  isUnchecked = false,
  restMs = 0,
  isFirst = false,
}: {
  value: string
  onChange: (text: string) => void
  label: string
  placeholder?: string
  inputRef?: Ref<HTMLInputElement>
  /** What the server found wrong, such as a regular expression. */
  serverProblem?: string | undefined
  /** Whether `onChange` gets texts that are wrong, too. */
  isUnchecked?: boolean
  /** How long typing must rest before `onChange` gets the text, in ms (default 0: at once). Enter does not wait. */
  restMs?: number
  /** Whether a dialog that opens gives it the focus (default false). */
  isFirst?: boolean
}): ReactNode {
  const texts = useTexts()
  const [text, setText] = useState(value)
  const [caret, setCaret] = useState(0)
  const [wasFocused, setFocused] = useState(false)
  const { known } = useKnownLabels(wasFocused)
  const completions = useMemo(() => completionsAt(text, caret, known), [text, caret, known])
  const own = useRef<HTMLInputElement>(null)
  const caretAfter = useRef<number>(undefined)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = (next: string, afterMs: number): void => {
    clearTimeout(waiting.current)
    waiting.current = undefined
    if (!isUnchecked && readMatchers(next).matchers === undefined) return
    if (afterMs === 0) onChange(next)
    else waiting.current = setTimeout(tell, afterMs, next, 0)
  }
  // The value changes from outside when a label is clicked or the address changes.
  useEffect(() => {
    clearTimeout(waiting.current)
    setText(value)
    return () => clearTimeout(waiting.current)
  }, [value])

  const { problem } = readMatchers(text)
  const change = (next: string, caret: number, afterMs = 0): void => {
    setText(next)
    setCaret(caret)
    if (next === '') combobox.closeDropdown()
    else combobox.openDropdown()
    tell(next, afterMs)
  }
  const complete = ({ text: added, from, to }: Completion): void => {
    const next = text.slice(0, from) + added + text.slice(to)
    caretAfter.current = from + added.length
    change(next, caretAfter.current)
  }
  // Before the next key is pressed: React puts the caret at the end of a text that it sets.
  useLayoutEffect(() => {
    const caret = caretAfter.current
    if (caret === undefined) return
    caretAfter.current = undefined
    own.current?.focus()
    own.current?.setSelectionRange(caret, caret)
  })
  const wrong =
    problem === undefined
      ? serverProblem
      : texts.matchers.problem(
          problem.expected,
          text.slice(problem.from, problem.to),
          problem.from + 1,
        )
  const isOpen = combobox.dropdownOpened && completions.length > 0
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(index) => {
        const chosen = completions[Number(index)]
        if (chosen !== undefined) complete(chosen)
      }}
    >
      <Combobox.Target>
        <TextInput
          ref={(element) => {
            own.current = element
            if (typeof inputRef === 'function') inputRef(element)
            else if (inputRef) inputRef.current = element
          }}
          classNames={classes.input === undefined ? {} : { input: classes.input }}
          aria-label={label}
          data-autofocus={isFirst || undefined}
          placeholder={placeholder}
          value={text}
          error={wrong}
          spellCheck={false}
          autoComplete="off"
          leftSection={<Icon name="search" size={16} />}
          rightSection={
            text === '' ? undefined : (
              <CloseButton
                size="sm"
                aria-label={texts.matchers.clear}
                onClick={() => change('', 0)}
              />
            )
          }
          onChange={({ currentTarget }) =>
            change(
              currentTarget.value,
              currentTarget.selectionStart ?? currentTarget.value.length,
              restMs,
            )
          }
          onFocus={() => setFocused(true)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && waiting.current !== undefined) tell(text, 0)
            if (event.key === 'Escape' && !isOpen) event.currentTarget.blur()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={completions.length === 0}>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {completions.map((completion, index) => (
            <Combobox.Option key={completion.text} value={String(index)}>
              {completion.text}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
