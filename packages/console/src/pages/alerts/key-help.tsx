import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import classes from './alerts-page.module.css'

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const { keys } = useTexts()
  const rows = [
    ['/', keys.filter],
    ['j', keys.next],
    ['k', keys.previous],
    ['s', keys.silence],
    ['a', keys.acknowledge],
    ['?', keys.help],
  ] as const
  return (
    <Dialog opened={isOpen} onClose={onClose} title={keys.title}>
      <dl className={classes.keys}>
        {rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
