import { Button, Checkbox, Group, SegmentedControl, Select } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { addMatcher } from '../../alerts/add-matcher.ts'
import { alertsOf, cardsOf, type Grouping, labelNames } from '../../alerts/group-alerts.ts'
import { useMay } from '../../data/me.ts'
import { severityLabel } from '../../data/services.ts'
import { useParameter, useRememberedParameter } from '../../route/route.ts'
import { silenceOf } from '../../silence-form/silence-draft.ts'
import { SilenceForm } from '../../silence-form/silence-form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { MatcherInput } from '../../widgets/matcher-input/matcher-input.tsx'
import { Empty, Failure, Loading, refusalOf } from '../../widgets/states.tsx'
import { useKeys } from '../../widgets/use-keys.ts'
import { AcknowledgeForm } from './acknowledge-form.tsx'
import { AlertCards } from './alert-cards.tsx'
import { AlertTable } from './alert-table.tsx'
import classes from './alerts-page.module.css'
import { KeyHelp } from './key-help.tsx'
import { Overview } from './overview.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useAlertGroups, useAlertSummary, useFiringRenewal } from './use-alert-groups.ts'
import { alertRows, useKeptFocus } from './use-kept-focus.ts'
import { type Selection, useSelection } from './use-selection.ts'

/** What is done with which alerts in the dialog. */
interface OpenDialog {
  readonly action: 'silence' | 'acknowledge'
  readonly ids: Ids
}

type Ids = readonly string[]

/** What is firing: as cards of groups or as a table, filtered, with what can be done about it. */
export default function AlertsPage(): ReactNode {
  const texts = useTexts()
  const [filter, setFilter] = useParameter('filter')
  const [view, setView] = useRememberedParameter('view')
  const [by, setBy] = useRememberedParameter('by')
  const [hidden, setHidden] = useParameter('hide')
  const hiddenStates = hidden.split(',')
  const shown = {
    active: !hiddenStates.includes('active'),
    silenced: !hiddenStates.includes('silenced'),
    inhibited: !hiddenStates.includes('inhibited'),
  }
  const { data: groups, error, isPending, refetch } = useAlertGroups(filter, shown)
  const summary = useAlertSummary(filter, shown)
  const alerts = useMemo(() => alertsOf(groups ?? []), [groups])
  const names = useMemo(() => labelNames(alerts).slice(0, 50), [alerts])
  const grouping = groupingOf(by)
  const cards = useMemo(() => cardsOf(groups ?? [], groupingOf(by), severityLabel), [groups, by])
  const selection = useSelection(alerts)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  useKeys(
    useMemo(
      () => ({
        '/': () => input.current?.focus(),
        '?': () => setHelpOpen(true),
        j: () => moveFocus(1),
        k: () => moveFocus(-1),
        s: () => setDialog({ action: 'silence', ids: chosenAlerts(selection) }),
        a: () => setDialog({ action: 'acknowledge', ids: chosenAlerts(selection) }),
      }),
      [selection],
    ),
  )

  useKeptFocus()

  const renew = useFiringRenewal()
  const refused = refusalOf(error)
  const chosen = alerts.filter(({ fingerprint }) => dialog?.ids.includes(fingerprint))
  const [maySilence, mayAcknowledge] = [useMay('silences:write'), useMay('alerts:acknowledge')]
  // Rows and cards render again when one of these changes, not at every change of the page.
  const onPick = useCallback(
    (name: string, value: string, isEqual = true) =>
      setFilter(addMatcher(filter, name, value, isEqual), 'step'),
    [filter, setFilter],
  )
  const onSilence = useCallback((ids: Ids) => setDialog({ action: 'silence', ids }), [])
  const onAcknowledge = useCallback((ids: Ids) => setDialog({ action: 'acknowledge', ids }), [])
  const list = { onPick, onSilence, onAcknowledge, maySilence, mayAcknowledge, selection }
  const close = (): void => setDialog(undefined)
  const done = (): void => {
    close()
    selection.set([])
    void renew()
  }
  return (
    <>
      <h1 className={classes.heading}>{texts.pages.alerts}</h1>
      <div className={classes.tools}>
        <div className={classes.filter}>
          <MatcherInput
            inputRef={input}
            label={texts.alerts.filter}
            value={filter}
            onChange={setFilter}
            restMs={200}
            serverProblem={refused}
          />
        </div>
        <Group gap="sm" wrap="wrap">
          {(['active', 'silenced', 'inhibited'] as const).map((state) => (
            <Checkbox
              key={state}
              size="sm"
              label={texts.alerts.states[state]}
              checked={shown[state]}
              onChange={() =>
                setHidden(
                  (shown[state]
                    ? [...hiddenStates, state]
                    : hiddenStates.filter((one) => one !== state)
                  )
                    .filter((one) => one !== '')
                    .join(','),
                  'step',
                )
              }
            />
          ))}
          <Select
            aria-label={texts.alerts.groupBy}
            className={classes.grouping}
            value={by === '' ? 'group' : by}
            onChange={(chosen) => setBy(chosen === 'group' ? '' : (chosen ?? ''))}
            data={[
              { value: 'group', label: texts.alerts.byGroup },
              { value: 'receiver', label: texts.alerts.byReceiver },
              ...names.map((name) => ({
                value: `label:${name}`,
                label: texts.alerts.byLabel(name),
              })),
              ...(grouping.by === 'label' && !names.includes(grouping.name)
                ? [{ value: by, label: texts.alerts.byLabel(grouping.name) }]
                : []),
            ]}
            allowDeselect={false}
            disabled={view === 'table'}
          />
          <SegmentedControl
            aria-label={texts.alerts.view}
            value={view === 'table' ? 'table' : 'cards'}
            onChange={(chosen) => setView(chosen === 'table' ? chosen : '')}
            data={[
              { value: 'cards', label: texts.alerts.cards },
              { value: 'table', label: texts.alerts.table },
            ]}
          />
        </Group>
      </div>
      {summary !== undefined && <Overview summary={summary} onPick={onPick} />}
      <p className={classes.summary} role="status">
        {groups === undefined
          ? ''
          : `${texts.alerts.count(alerts.length)} · ${texts.alerts.groups(groups.length)}`}
      </p>
      {error !== null && refused === undefined && (
        <Failure error={error} triesAgain onRetry={() => void refetch()} />
      )}
      {isPending && error === null ? (
        <Loading />
      ) : alerts.length === 0 && error === null ? (
        <NoAlerts isFiltered={filter !== ''} onClear={() => setFilter('', 'step')} />
      ) : view === 'table' ? (
        <AlertTable alerts={alerts} {...list} />
      ) : (
        <AlertCards cards={cards} {...list} />
      )}
      {selection.ids.size > 0 && <SelectionBar {...list} />}
      <Dialog
        opened={chosen.length > 0}
        onClose={close}
        title={dialog?.action === 'acknowledge' ? texts.acknowledge.do : texts.silences.new}
        size="lg"
      >
        {dialog?.action === 'acknowledge' ? (
          <AcknowledgeForm alerts={chosen} onDone={done} onCancel={close} />
        ) : (
          <SilenceForm initial={silenceOf(chosen)} onDone={done} onCancel={close} />
        )}
      </Dialog>
      <KeyHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
}

function NoAlerts({
  isFiltered,
  onClear,
}: {
  isFiltered: boolean
  onClear: () => void
}): ReactNode {
  const texts = useTexts()
  if (!isFiltered) return <Empty title={texts.alerts.none}>{texts.alerts.noneDetail}</Empty>
  return (
    <Empty title={texts.alerts.noMatch}>
      <Button variant="default" onClick={onClear}>
        {texts.alerts.clearFilter}
      </Button>
    </Empty>
  )
}

function groupingOf(by: string): Grouping {
  if (by.startsWith('label:')) return { by: 'label', name: by.slice('label:'.length) }
  return { by: by === 'receiver' ? 'receiver' : 'group' }
}

/** The alerts that a key acts on: the selected ones, else the one that has the focus. */
function chosenAlerts({ ids }: Selection): readonly string[] {
  const focused = focusedAlert()
  return ids.size > 0 || focused === undefined ? [...ids] : [focused]
}

function focusedAlert(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-fingerprint]')?.dataset.fingerprint
}

function moveFocus(step: 1 | -1): void {
  const all = alertRows()
  const at = all.findIndex((row) => row.contains(document.activeElement))
  const next = at < 0 ? (step > 0 ? all[0] : all.at(-1)) : all[at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
