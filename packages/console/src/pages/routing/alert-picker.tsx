import type { Alert, LabelSet } from '@gatehouse/client'
import { Select } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { textOf } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { clip } from '../../widgets/clip.ts'
import classes from './routing-page.module.css'

/** Chooses one of the firing alerts, found by what its labels contain. */
export function AlertPicker({
  alerts,
  onPick,
}: {
  alerts: readonly Pick<Alert, 'fingerprint' | 'labels'>[]
  onPick: (labels: LabelSet) => void
}): ReactNode {
  const { routing } = useTexts()
  const data = useMemo(
    () => alerts.map(({ fingerprint, labels }) => ({ value: fingerprint, label: nameOf(labels) })),
    [alerts],
  )
  return (
    <Select
      className={classes.picker ?? ''}
      aria-label={routing.pick}
      placeholder={routing.pick}
      data={data}
      value={null}
      searchable
      limit={50}
      nothingFoundMessage={routing.noAlert}
      onChange={(fingerprint) => {
        const alert = alerts.find((one) => one.fingerprint === fingerprint)
        if (alert !== undefined) onPick(alert.labels)
      }}
    />
  )
}

/** The name of the alert, then its other labels. */
function nameOf({ alertname, ...labels }: LabelSet): string {
  return clip([alertname ?? '', textOf(labels)].filter((part) => part !== '').join(' · '), 200)
}
