import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../data/me.ts'
import { client } from '../../data/services.ts'
import { useTexts } from '../../texts/texts.ts'
import { PageHead } from '../../widgets/page-head.tsx'
import { Failure, Loading } from '../../widgets/states.tsx'
import { ConfigView } from './config-view.tsx'
import { Facts } from './facts.tsx'
import { Problems, Processes } from './server-parts.tsx'
import classes from './status-page.module.css'
import { VitalSigns } from './vital-signs.tsx'

const everyMs = 10_000

/** The versions, the storage, the processes, problems, metrics and the configuration that runs. */
export default function StatusPage(): ReactNode {
  const texts = useTexts()
  const may = useMay('config:read')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => client.status({ signal }),
    refetchInterval: everyMs,
  })
  const server = useQuery({
    queryKey: ['server-status'],
    queryFn: ({ signal }) => client.serverStatus({ signal }),
    refetchInterval: everyMs,
    enabled: may.allowed,
  })
  // The two fail for the same reason if the server does not answer.
  const failure = error ?? server.error
  return (
    <>
      <PageHead title={texts.pages.status} />
      {failure !== null && (
        <Failure
          error={failure}
          onRetry={() => {
            void refetch()
            void server.refetch()
          }}
        />
      )}
      {isPending && error === null && <Loading />}
      {data !== undefined && (
        <>
          <Facts status={data} server={server.data} />
          {server.data !== undefined && (
            <>
              <Problems problems={server.data.problems} />
              <Processes processes={server.data.processes} />
            </>
          )}
          {!may.allowed && <p className={classes.quiet}>{may.reason}</p>}
          <VitalSigns />
          {data.config.original !== '' && <ConfigView text={data.config.original} />}
        </>
      )}
    </>
  )
}
