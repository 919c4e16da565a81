import type { Alert, AlertGroup } from '@gatehouse/client'
import { Button } from '@mantine/core'
import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react'
import { addMatcher } from '../../alerts/add-matcher.ts'
import { type ChosenStates, readStates, shownStates, wantedBy } from '../../alerts/chosen-states.ts'
import { alertsOf, labelNames } from '../../alerts/group-alerts.ts'
import { isHere, type ShownAlert } from '../../alerts/merge-servers.ts'
import { useFiringRenewal } from '../../data/firing-renewal.ts'
import { useMay } from '../../data/me.ts'
import { type OtherServers, useMerged, useOtherServers } from '../../data/other-servers.ts'
import { type Kept, useParameter } from '../../route/route.ts'
import { silenceOf } from '../../silence-form/silence-draft.ts'
import { useSilenceForm } from '../../silence-form/use-silence-form.ts'
import { useTexts } from '../../texts/texts.ts'
import { useNow } from '../../time/now.ts'
import { clip } from '../../widgets/clip.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { FilterMenu } from '../../widgets/filter-menu.tsx'
import { MatcherInput } from '../../widgets/matcher-input/matcher-input.tsx'
import { Empty, Failure, Loading, refusalOf } from '../../widgets/states.tsx'
import { useKeys } from '../../widgets/use-keys.ts'
import { AcknowledgeForm } from './acknowledge-form.tsx'
import { AlertList } from './alert-list.tsx'
import classes from './alerts-page.module.css'
import { KeyHelp } from './key-help.tsx'
import { FoldAll, ListTools } from './list-tools.tsx'
import { Overview } from './overview.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ServerStrip } from './server-strip.tsx'
import { useAlertGroups, useSummary } from './use-alert-groups.ts'
import { moveFocus, useKeptFocus } from './use-kept-focus.ts'
import { useLook } from './use-look.ts'
import { type Selection, useSelection } from './use-selection.ts'

/** What is done with which alerts in the dialog. */
interface OpenDialog {
  readonly action: 'silence' | 'acknowledge'
  readonly ids: Ids
}

type Ids = readonly string[]
type Open = (action: OpenDialog['action'], ids: Ids) => void

/** What is firing: as cards of groups, in lines or as a table, filtered, with what can be done about it. */
export default function AlertsPage(): ReactNode {
  const texts = useTexts()
  const [filter, setFilter] = useParameter('filter')
  const [statesText, setStatesText] = useParameter('hide')
  const states = useMemo(() => readStates(statesText), [statesText])
  const shown = shownStates(states)
  const { data, error, isPending, refetch } = useAlertGroups(filter, shown)
  const others = useOtherServers(filter, shown)
  const [server, setServer] = useParameter('server')
  const merged = useOfServer(useMerged(data, others.servers), server)
  const summary = useSummary(filter, shown, others.servers.length > 0 ? merged : undefined)
  const groups = useWanted(merged, states)
  const alerts = useMemo(() => alertsOf(groups ?? []), [groups])
  const own = useMemo(() => alerts.filter(isHere), [alerts])
  const names = useMemo(() => namesIn(groups ?? []), [groups])
  const look = useLook(groups && alerts.length)
  const selection = useSelection(own)
  const [dialog, setDialog] = useState<OpenDialog>()
  const input = useRef<HTMLInputElement>(null)
  const renew = useFiringRenewal()
  const refused = refusalOf(error)
  const [maySilence, mayAcknowledge] = [useMay('silences:write'), useMay('alerts:acknowledge')]
  // Rows and cards render again when one of these changes, not at every change of the page.
  const onPick = useCallback(
    (name: string, value: string, isEqual: boolean) =>
      setFilter(addMatcher(filter, name, value, isEqual), 'step'),
    [filter, setFilter],
  )
  const onType = useTyping(filter, setFilter)
  const { open, ...forms } = useForms(setDialog)
  const list = { onPick, ...forms, maySilence, mayAcknowledge, selection }
  const help = usePageKeys(selection, open, input)
  return (
    <>
      <h1 className={classes.heading}>{texts.pages.alerts}</h1>
      <div className={classes.tools}>
        <div className={classes.filter}>
          <MatcherInput
            inputRef={input}
            label={texts.alerts.filter}
            value={filter}
            onChange={onType}
            restMs={200}
            serverProblem={refused}
          />
          <FilterMenu filter={filter} onChoose={(chosen) => setFilter(chosen, 'step')} />
        </div>
        <ListTools look={look} names={names} />
      </div>
      <Overview
        summary={summary}
        states={states}
        onStates={(text) => setStatesText(text, 'step')}
        onPick={onPick}
        servers={
          <ServerStrip
            servers={others.servers}
            chosen={server}
            onChoose={(name) => setServer(name, 'step')}
          />
        }
      >
        <Counted alerts={alerts.length} groups={groups?.length} />
        {look.view !== 'table' && alerts.length > 0 && <FoldAll folding={look.folding} />}
      </Overview>
      {error !== null && refused === undefined && (
        <Failure error={error} triesAgain onRetry={() => void refetch()} />
      )}
      {isPending && error === null ? (
        <Loading />
      ) : alerts.length === 0 && error === null ? (
        <NoAlerts
          isFiltered={filter !== '' || statesText !== ''}
          {...{ server, others }}
          onClear={() => {
            setFilter('', 'step')
            setStatesText('')
            setServer('')
          }}
        />
      ) : (
        <AlertList groups={groups ?? []} alerts={alerts} names={names} look={look} {...list} />
      )}
      {selection.ids.size > 0 && <SelectionBar {...list} />}
      <AlertDialog
        dialog={dialog}
        alerts={own}
        onClose={() => setDialog(undefined)}
        onDone={() => {
          setDialog(undefined)
          selection.set([])
          void renew()
        }}
      />
      <KeyHelp isOpen={help.isOpen} onClose={help.close} />
    </>
  )
}

/** How many there are, once they are known. */
function Counted({
  alerts,
  groups,
}: {
  readonly alerts: number
  readonly groups: number | undefined
}): ReactNode {
  const { count, groups: inGroups } = useTexts().alerts
  return (
    <p className={classes.summary} role="status">
      {groups !== undefined && `${count(alerts)} · ${inGroups(groups)}`}
    </p>
  )
}

/** Names of labels to group by. */
const namesIn = (groups: readonly AlertGroup[]): readonly string[] =>
  labelNames(groups.map(({ alerts }) => alerts)).slice(0, 50)

/** What opens the dialog. */
function useForms(setDialog: (dialog: OpenDialog) => void) {
  const open = useCallback<Open>((action, ids) => setDialog({ action, ids }), [setDialog])
  const onSilence = useCallback((ids: Ids) => open('silence', ids), [open])
  const onAcknowledge = useCallback((ids: Ids) => open('acknowledge', ids), [open])
  return { open, onSilence, onAcknowledge }
}

/** The groups with the alerts that one of the other servers has. */
function useOfServer(
  groups: readonly AlertGroup[] | undefined,
  server: string,
): readonly AlertGroup[] | undefined {
  return useMemo(
    () => (server === '' ? groups : groups && withAlerts(groups, isOn(server))),
    [groups, server],
  )
}

const isOn =
  (server: string) =>
  ({ servers }: ShownAlert): boolean =>
    servers?.includes(server) === true

const withAlerts = (
  groups: readonly AlertGroup[],
  isWanted: (alert: Alert) => boolean,
): readonly AlertGroup[] =>
  groups
    .map((group) => ({ ...group, alerts: group.alerts.filter(isWanted) }))
    .filter(({ alerts }) => alerts.length > 0)

/** Sets a filter that is typed. What is typed without anything between is one step of the browser's history. */
function useTyping(
  filter: string,
  setFilter: (filter: string, kept?: Kept) => void,
): (filter: string) => void {
  const typed = useRef<string>(undefined)
  return (next) => {
    setFilter(next, typed.current === filter ? 'replace' : 'step')
    typed.current = next
  }
}

/** The groups with the alerts in the chosen states. */
function useWanted(
  groups: readonly AlertGroup[] | undefined,
  states: ChosenStates,
): readonly AlertGroup[] | undefined {
  // What is new does not stay so; without a choice of it, nothing is computed again.
  const now = useNow()
  const wanted = wantedBy(states, now)
  const at = wanted === undefined ? 0 : now
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` is made of these
  return useMemo(() => {
    if (wanted === undefined) return groups
    return groups && withAlerts(groups, wanted)
  }, [groups, states, at])
}

/** The keys of the page, of which `?` opens the list. */
function usePageKeys(
  selection: Selection,
  open: Open,
  input: RefObject<HTMLInputElement | null>,
): { readonly isOpen: boolean; close(): void } {
  const [isOpen, setOpen] = useState(false)
  useKeys(
    useMemo(
      () => ({
        '/': () => input.current?.focus(),
        '?': () => setOpen(true),
        j: () => moveFocus(1),
        k: () => moveFocus(-1),
        s: () => open('silence', chosenAlerts(selection)),
        a: () => open('acknowledge', chosenAlerts(selection)),
      }),
      [selection, open, input],
    ),
  )
  useKeptFocus()
  return { isOpen, close: () => setOpen(false) }
}

/** The form that silences or acknowledges alerts. */
function AlertDialog({
  dialog,
  alerts,
  onClose,
  onDone,
}: {
  dialog: OpenDialog | undefined
  alerts: readonly Alert[]
  onClose: () => void
  onDone: () => void
}): ReactNode {
  const texts = useTexts()
  const ids = new Set(dialog?.ids)
  const chosen = ids.size === 0 ? [] : alerts.filter(({ fingerprint }) => ids.has(fingerprint))
  const isSilence = dialog?.action === 'silence'
  const SilenceForm = useSilenceForm(isSilence)
  return (
    <Dialog
      // The focus goes into the form when the dialog opens, so the form must be there.
      opened={chosen.length > 0 && (!isSilence || SilenceForm !== undefined)}
      onClose={onClose}
      title={dialog?.action === 'acknowledge' ? texts.acknowledge.do : texts.silences.new}
      size="lg"
    >
      {dialog?.action === 'acknowledge' ? (
        <AcknowledgeForm alerts={chosen} onDone={onDone} onCancel={onClose} />
      ) : (
        SilenceForm && (
          <SilenceForm initial={silenceOf(chosen)} onDone={onDone} onCancel={onClose} />
        )
      )}
    </Dialog>
  )
}

/** Why the list is empty. */
function NoAlerts({
  isFiltered,
  server,
  others,
  onClear,
}: {
  isFiltered: boolean
  /** The name of the server whose alerts alone are shown; empty for none. */
  server: string
  others: OtherServers
  onClear: () => void
}): ReactNode {
  const texts = useTexts()
  const chosen = others.servers.find(({ name }) => name === server)
  const clear = (
    <Button variant="default" mt="sm" onClick={onClear}>
      {texts.alerts.clearFilter}
    </Button>
  )
  if (server === '') {
    if (!isFiltered) return <Empty title={texts.alerts.none}>{texts.alerts.noneDetail}</Empty>
    return <Empty title={texts.alerts.noMatch}>{clear}</Empty>
  }
  const { notRead, unknown } = texts.alerts.others
  const { failure, isPending } =
    chosen === undefined
      ? others
      : { failure: chosen.failure, isPending: chosen.groups === undefined }
  if (failure !== undefined) {
    return (
      <>
        <Failure title={notRead(clip(server))} detail={failure} />
        {clear}
      </>
    )
  }
  if (isPending) return <Loading />
  const title = chosen === undefined ? unknown(clip(server)) : texts.alerts.noMatch
  return <Empty title={title}>{clear}</Empty>
}

/** The alerts that a key acts on: the selected ones, else the one that has the focus. */
function chosenAlerts({ ids }: Selection): readonly string[] {
  const focused = focusedAlert()
  return ids.size > 0 || focused === undefined ? [...ids] : [focused]
}

function focusedAlert(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-fingerprint]')?.dataset.fingerprint
}
