import { Group, SegmentedControl, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.ts'
import classes from './alerts-page.module.css'
import { byText, type Folding, type Look, noSection } from './use-look.ts'

/** How the alerts are grouped and shown. */
export function ListTools({
  look: { view, grouping, section, setView, setGrouping, setSection },
  names,
}: {
  look: Look
  /** Names of labels to group by. */
  names: readonly string[]
}): ReactNode {
  const { alerts: texts } = useTexts()
  const by = byText(grouping)
  const offered = (chosen: string | undefined): readonly string[] => [
    ...new Set([...names, ...(chosen === undefined ? [] : [chosen])]),
  ]
  return (
    <Group gap="sm" wrap="wrap">
      {view !== 'table' && (
        <Select
          aria-label={texts.groupBy}
          className={classes.grouping}
          value={by}
          onChange={(chosen) => setGrouping(chosen ?? '')}
          data={[
            { value: 'group', label: texts.byGroup },
            { value: 'receiver', label: texts.byReceiver },
            ...offered(grouping.by === 'label' ? grouping.name : undefined).map((name) => ({
              value: `label:${name}`,
              label: texts.byLabel(name),
            })),
          ]}
          allowDeselect={false}
        />
      )}
      {view === 'lines' && (
        <Select
          aria-label={texts.sections}
          className={classes.grouping}
          value={section ?? noSection}
          onChange={(chosen) => setSection(chosen ?? noSection)}
          data={[
            { value: noSection, label: texts.noSections },
            ...offered(section).map((name) => ({ value: name, label: texts.sectionsBy(name) })),
          ]}
          allowDeselect={false}
        />
      )}
      <SegmentedControl
        aria-label={texts.view}
        value={view}
        onChange={setView}
        data={[
          { value: 'cards', label: texts.cards },
          { value: 'lines', label: texts.lines },
          { value: 'table', label: texts.table },
        ]}
      />
    </Group>
  )
}

/** Folds all groups, or opens them. */
export function FoldAll({ folding: { foldAll, unfoldAll } }: { folding: Folding }): ReactNode {
  const { alerts } = useTexts()
  return (
    <>
      <button type="button" className={classes.link} onClick={foldAll}>
        {alerts.foldAll}
      </button>
      <button type="button" className={classes.link} onClick={unfoldAll}>
        {alerts.unfoldAll}
      </button>
    </>
  )
}
