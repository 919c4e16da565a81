import { readMatchers } from '@gatehouse/client'
import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../icon.tsx'
import { type Completion, completionsAt } from './completions.ts'
import classes from './matcher-input.module.css'
import { useCaret } from './use-caret.ts'
import { useKnownLabels } from './use-known-labels.ts'
import { useTypedText } from './use-typed-text.ts'

interface MatcherInputProps {
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
}

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
}: MatcherInputProps): ReactNode {
  const texts = useTexts()
  const own = useRef<HTMLInputElement>(null)
  const { text, type, tellNow } = useTypedText(value, onChange, isUnchecked)
  const caret = useCaret(own)
  const [wasFocused, setFocused] = useState(false)
  const { known } = useKnownLabels(wasFocused)
  const completions = useMemo(() => completionsAt(text, caret.at, known), [text, caret.at, known])
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const change = (next: string, afterMs = 0): void => {
    if (next === '') combobox.closeDropdown()
    else combobox.openDropdown()
    type(next, afterMs)
  }
  const complete = ({ text: added, from, to }: Completion): void => {
    caret.moveTo(from + added.length)
    change(text.slice(0, from) + added + text.slice(to))
  }
  const wrong = useProblem(text) ?? serverProblem
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
                onClick={() => {
                  caret.note(0)
                  change('')
                }}
              />
            )
          }
          onChange={({ currentTarget: { value: next, selectionStart } }) => {
            caret.note(selectionStart ?? next.length)
            change(next, restMs)
          }}
          onFocus={() => setFocused(true)}
          onSelect={({ currentTarget }) => caret.note(currentTarget.selectionStart ?? 0)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') tellNow()
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

/** What is wrong with a text of matchers, and where. */
function useProblem(text: string): string | undefined {
  const { matchers: texts } = useTexts()
  const { problem } = readMatchers(text)
  if (problem === undefined) return undefined
  const { expected, from, to } = problem
  return texts.problem(expected, text.slice(from, to), from + 1)
}
