import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { MayButton } from '../../widgets/may-button.tsx'
import classes from './alerts-page.module.css'
import type { ListActions } from './list-actions.ts'

/** The buttons that silence or acknowledge the selected alerts. */
export function SelectionBar({
  selection,
  onSilence,
  onAcknowledge,
}: Pick<ListActions, 'selection' | 'onSilence' | 'onAcknowledge'>): ReactNode {
  const texts = useTexts()
  return (
    <section className={classes.selected} aria-label={texts.alerts.selected(selection.ids.size)}>
      <span>{texts.alerts.selected(selection.ids.size)}</span>
      <MayButton
        action="silences:write"
        size="sm"
        leftSection={<Icon name="bellOff" size={16} />}
        onClick={() => onSilence([...selection.ids])}
      >
        {texts.alerts.silence}
      </MayButton>
      <MayButton
        action="alerts:acknowledge"
        size="sm"
        variant="light"
        leftSection={<Icon name="check" size={16} />}
        onClick={() => onAcknowledge([...selection.ids])}
      >
        {texts.acknowledge.do}
      </MayButton>
      <Button size="sm" variant="default" onClick={() => selection.set([])}>
        {texts.alerts.unselect}
      </Button>
    </section>
  )
}
