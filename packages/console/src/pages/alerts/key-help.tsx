import { Kbd, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
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
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={keys.title}
      closeButtonProps={{ 'aria-label': keys.close }}
    >
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
    </Modal>
  )
}
