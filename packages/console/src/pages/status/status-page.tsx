import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { Failure, Loading } from '../../widgets/states.tsx'
import { LocalTime } from '../../widgets/time.tsx'
import classes from './status-page.module.css'

/** The version, the processes and the configuration that runs. */
export default function StatusPage(): ReactNode {
  const texts = useTexts()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => client.status({ signal }),
    refetchInterval: 30_000,
  })
  return (
    <>
      <h1 className={classes.heading}>{texts.pages.status}</h1>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && error === null && <Loading />}
      {data !== undefined && (
        <>
          <dl className={classes.facts}>
            <div>
              <dt>{texts.status.version}</dt>
              <dd>{data.versionInfo.version}</dd>
            </div>
            <div>
              <dt>{texts.status.since}</dt>
              <dd>
                <LocalTime at={data.uptime} />
              </dd>
            </div>
            <div>
              <dt>{texts.status.cluster}</dt>
              <dd>
                {texts.status.clusterStates[data.cluster.status]}
                {data.cluster.peers !== undefined &&
                  data.cluster.peers.length > 0 &&
                  `, ${texts.status.peers(data.cluster.peers.length)}`}
              </dd>
            </div>
          </dl>
          <h2 className={classes.part}>{texts.status.config}</h2>
          <p className={classes.quiet}>{texts.status.configDetail}</p>
          <pre className={classes.config}>{data.config.original}</pre>
        </>
      )}
    </>
  )
}
