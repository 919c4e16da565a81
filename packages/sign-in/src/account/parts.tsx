import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Step } from '../flow/step.ts'
import { useWords } from '../texts/texts.ts'
import { Button } from '../widgets/form.tsx'
import { Icon, type IconName } from '../widgets/icons.tsx'

/** A section of the account page. */
export function Section({
  id,
  title,
  text,
  actions,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly text?: string | undefined
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <section class="section" id={id} aria-labelledby={`${id}-title`}>
      <div class="section-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        {text !== undefined && <p class="muted">{text}</p>}
      </div>
      <div class="section-body">
        {children}
        {actions !== undefined && <div class="section-actions">{actions}</div>}
      </div>
    </section>
  )
}

/** A row of a section: what it is, and what can be done with it. */
export function Row({
  icon,
  mark,
  title,
  text,
  badge,
  children,
}: {
  readonly icon?: IconName
  readonly mark?: ComponentChildren
  readonly title: string
  readonly text?: string | undefined
  readonly badge?: ComponentChildren
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <div class="row">
      <span class="choice-icon">{mark ?? (icon !== undefined && <Icon name={icon} />)}</span>
      <span class="row-text">
        <span class="row-title">
          <bdi>{title}</bdi> {badge}
        </span>
        {text !== undefined && <small>{text}</small>}
      </span>
      <span class="row-actions">{children}</span>
    </div>
  )
}

/** A button that asks once more before something is gone. */
export function RemoveButton({
  name,
  text,
  disabled,
  onRemove,
}: {
  /** What is removed. */
  readonly name: string
  readonly text?: string
  readonly disabled: boolean
  onRemove(): void
}): JSX.Element {
  const { t } = useWords()
  const [state, setState] = useState<'idle' | 'asking' | 'kept'>('idle')
  if (state !== 'asking') {
    return (
      <Button
        look="quiet"
        disabled={disabled}
        aria-label={
          text === undefined
            ? t('account.remove.name', { name })
            : t('account.about', { what: text, name })
        }
        // Back from the question, the focus is where it was.
        {...(state === 'kept' ? { element: focusOn } : {})}
        onClick={() => setState('asking')}
      >
        {text ?? t('account.remove')}
      </Button>
    )
  }
  return (
    <fieldset class="asking" aria-label={t('account.remove.sure', { name })}>
      <Button look="danger" disabled={disabled} element={focusOn} onClick={onRemove}>
        {text ?? t('account.remove')}
      </Button>
      <Button look="quiet" onClick={() => setState('kept')}>
        {t('cancel')}
      </Button>
    </fieldset>
  )
}

/** Takes the focus once it is there. One function for all renderings: another one would take the focus again. */
export const focusOn = (element: HTMLElement | null): void => element?.focus()

/** In place of the step that fields are in: the account page says itself what was refused. */
export const noStep: Step = { problem: undefined } as Step
