import type { Alert, AlertGroup } from '@gatehouse/client'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { cardsOf } from '../../alerts/group-alerts.ts'
import { linesOf, sectionsOf } from '../../alerts/lines.ts'
import { loadFiles } from '../../data/load-files.ts'
import { severityLabel } from '../../data/services.ts'
import { Loading } from '../../widgets/states.tsx'
import { AlertCards } from './alert-cards.tsx'
import { AlertLines } from './alert-lines.tsx'
import type { ListActions } from './list-actions.ts'
import { type Look, useOpenRows } from './use-look.ts'

/** Few open it, so that the first load does without it. */
const AlertTable = lazy(() => loadFiles(() => import('./alert-table.tsx')))

/** The alerts in the chosen view. */
export function AlertList({
  groups,
  alerts,
  names,
  look: { view, grouping, section, folding },
  ...actions
}: {
  groups: readonly AlertGroup[]
  /** All alerts of the groups. */
  alerts: readonly Alert[]
  /** Names of their labels. */
  names: readonly string[]
  look: Look
} & ListActions): ReactNode {
  const rows = useOpenRows()
  const { isFolded } = folding
  const cards = useMemo(
    () => (view === 'table' ? [] : cardsOf(groups, grouping, severityLabel)),
    [groups, grouping, view],
  )
  const lines = useMemo(() => {
    if (view !== 'lines') return []
    const sections = section && sectionsOf(groups, section, grouping, severityLabel)
    return linesOf(sections || cards, isFolded)
  }, [view, cards, groups, section, grouping, isFolded])
  if (view === 'table') {
    return (
      <Suspense fallback={<Loading />}>
        <AlertTable {...{ alerts, names, rows }} {...actions} />
      </Suspense>
    )
  }
  const folds = { isFolded, onFold: folding.toggle }
  if (view === 'lines') return <AlertLines {...{ lines, rows }} {...folds} {...actions} />
  return <AlertCards cards={cards} {...folds} {...actions} />
}
