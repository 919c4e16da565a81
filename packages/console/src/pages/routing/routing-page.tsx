import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRefetchInterval } from '../../data/live.ts'
import { client } from '../../data/services.ts'
import { useParameter } from '../../route/route.ts'
import { labelsOf, textOf } from '../../routing/on-path.ts'
import { useTexts } from '../../texts/texts.ts'
import { MatcherInput } from '../../widgets/matcher-input/matcher-input.tsx'
import { useKnownLabels } from '../../widgets/matcher-input/use-known-labels.ts'
import { PageHead } from '../../widgets/page-head.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { AlertPicker } from './alert-picker.tsx'
import { Draft } from './draft.tsx'
import { ExplanationView } from './explanation-view.tsx'
import { RouteTree } from './route-tree.tsx'
import classes from './routing-page.module.css'

/** The routing tree; the way of an alert through it, and what happens to the alert; a draft and what it would change. */
export default function RoutingPage(): ReactNode {
  const { pages, routing } = useTexts()
  const [view, setView] = useParameter('view')
  return (
    <>
      <PageHead title={pages.routing}>
        <SegmentedControl
          aria-label={pages.routing}
          value={view === 'draft' ? 'draft' : 'tree'}
          onChange={(chosen) => setView(chosen === 'draft' ? chosen : '')}
          data={[
            { value: 'tree', label: routing.tree },
            { value: 'draft', label: routing.draft },
          ]}
        />
      </PageHead>
      {view === 'draft' ? <Draft /> : <Tree />}
    </>
  )
}

function Tree(): ReactNode {
  const { routing } = useTexts()
  const [written, setWritten] = useParameter('labels')
  const [fingerprint, setFingerprint] = useParameter('alert')
  const [line] = useParameter('line')
  const refetchInterval = useRefetchInterval()
  const tree = useQuery({
    queryKey: ['alert-groups', 'routes'],
    queryFn: ({ signal }) => client.routes({ signal }),
    refetchInterval,
  })
  // An alert of a link may have fired since the alerts were read for another page.
  const { alerts, isWhole } = useKnownLabels(true, true)
  const alert = alerts.find((one) => one.fingerprint === fingerprint)
  const text = written === '' && alert !== undefined ? textOf(alert.labels) : written
  const labels = labelsOf(text)
  const isAsked = labels !== undefined && Object.keys(labels).length > 0
  const explanation = useQuery({
    queryKey: ['alert-groups', 'explain', labels],
    queryFn: ({ signal }) => client.explain(labels ?? {}, { signal }),
    enabled: isAsked,
    refetchInterval,
  })
  const shown = isAsked ? explanation.data : undefined
  const error = tree.error ?? explanation.error
  return (
    <>
      <div className={classes.asked}>
        <div className={classes.labels}>
          <MatcherInput
            label={routing.labels}
            placeholder={'alertname="DiskFull", team="db"'}
            value={text}
            onChange={(next) => {
              setFingerprint('')
              setWritten(next)
            }}
            serverProblem={text !== '' && labels === undefined ? routing.onlyEqual : undefined}
          />
        </div>
        <AlertPicker
          alerts={alerts}
          onPick={(labels) => {
            setFingerprint('')
            setWritten(textOf(labels))
          }}
        />
      </div>
      <p className={classes.hint}>{routing.hint}</p>
      {fingerprint !== '' && alert === undefined && written === '' && isWhole && (
        <Failure title={routing.noAlert} detail={routing.noAlertDetail} />
      )}
      {error !== null && <Failure error={error} triesAgain onRetry={() => void tree.refetch()} />}
      {tree.isPending && error === null && <Loading />}
      {tree.data !== undefined && (
        <div className={classes.parts}>
          <RouteTree
            root={tree.data}
            taken={(shown?.routes ?? []).map(({ id }) => id)}
            line={Number(line)}
          />
          {shown !== undefined && <ExplanationView explanation={shown} />}
        </div>
      )}
    </>
  )
}
