import { isClientError } from '@gatehouse/client'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect } from 'react'
import { useMe, wouldHelp } from '../../data/me.ts'
import { signInAddress } from '../../data/sign-in-address.ts'
import { hooks, setWebhookToken, useWebhookToken } from '../../data/webhooks.ts'
import { hashOf, usePlace } from '../../route/route.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty, Failure, Loading } from '../../widgets/states.tsx'
import { DeliveryTest } from './delivery-test.tsx'
import { RefusedDeliveries } from './refused-deliveries.tsx'
import { RunDetails } from './run-details.tsx'
import { RunForm } from './run-form.tsx'
import { RunList } from './run-list.tsx'
import { SenderRecipe } from './sender-recipe.tsx'
import { TokenForm } from './token-form.tsx'
import { WebhookCards } from './webhook-cards.tsx'
import classes from './webhooks-page.module.css'

const goTo = (...segments: readonly string[]): void => {
  location.hash = hashOf(['webhooks', ...segments])
}

/** The webhooks and their runs; `#/webhooks/run/…` for one run, `#/webhooks/new/…` for the form to run one. */
export default function WebhooksPage(): ReactNode {
  const texts = useTexts()
  const { segments, query } = usePlace()
  const [, place, id] = segments
  const token = useWebhookToken()
  const given = query.get('token') ?? ''
  // A link may enter the token, as that of `npm start`. It does not stay in the address, which others may see.
  useLayoutEffect(() => {
    if (given === '') return
    if (token === '') setWebhookToken(given)
    history.replaceState(null, '', hashOf(segments))
    dispatchEvent(new PopStateEvent('popstate'))
  }, [given, token, segments])
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['webhooks', token],
    queryFn: ({ signal }) => hooks.list({ signal }),
    refetchInterval: 30_000,
  })
  if (data !== undefined && place === 'run' && id !== undefined) {
    return <RunDetails key={id} id={id} webhooks={data.webhooks} />
  }
  const chosen = place === 'new' ? data?.webhooks.find((one) => one.id === id) : undefined
  const shown = data?.webhooks.find((one) => one.id === query.get('webhook'))
  return (
    <>
      <PageHead title={texts.pages.webhooks}>
        {token !== '' && data !== undefined && (
          <Button variant="default" onClick={() => setWebhookToken('')}>
            {texts.webhooks.forgetToken}
          </Button>
        )}
      </PageHead>
      {error !== null && data === undefined && (
        <ListFailure error={error} onRetry={() => void refetch()} />
      )}
      {error !== null && data !== undefined && (
        <Failure error={error} triesAgain onRetry={() => void refetch()} />
      )}
      {data !== undefined && place === 'new' && chosen === undefined && (
        <Failure title={texts.shell.noPage(`/${segments.join('/')}`)} />
      )}
      {isPending && error === null && <Loading />}
      {data !== undefined && data.webhooks.length === 0 && (
        <Empty title={texts.webhooks.none}>
          <span>{texts.webhooks.noneDetail}</span>
        </Empty>
      )}
      {data !== undefined && data.webhooks.length > 0 && (
        <>
          <WebhookCards webhooks={data.webhooks} />
          {shown !== undefined && (
            <>
              <SenderRecipe webhook={shown} />
              <DeliveryTest key={shown.id} webhook={shown} />
              <RefusedDeliveries id={shown.id} />
            </>
          )}
          <RunList webhooks={data.webhooks} readsAll={data.reads_all} />
        </>
      )}
      <Dialog
        opened={chosen !== undefined}
        onClose={() => goTo()}
        title={chosen && <bdi>{texts.webhooks.runOne(chosen.id)}</bdi>}
        size="lg"
      >
        {chosen !== undefined && (
          <RunForm
            key={chosen.id}
            webhook={chosen}
            again={query.get('again') ?? ''}
            onStarted={(runId) => goTo('run', runId)}
          />
        )}
      </Dialog>
      {place === 'new' && data !== undefined && chosen === undefined && (
        <Failure title={texts.webhooks.none} />
      )}
    </>
  )
}

/** Why there is no list: the server does not accept the token, does not identify senders, or serves no webhooks here. */
function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const texts = useTexts()
  const { data: me } = useMe()
  if (isClientError(error, 'NotFound', 'not_found')) {
    return (
      <Empty title={texts.webhooks.notServed}>
        <span>{texts.webhooks.notServedDetail}</span>
      </Empty>
    )
  }
  if (!isClientError(error) || error.status !== 401) {
    return <Failure error={error} triesAgain onRetry={onRetry} />
  }
  return (
    <>
      {me !== undefined && wouldHelp(me) && (
        <p className={classes.signIn}>
          <Button component="a" href={signInAddress()}>
            {texts.access.signIn}
          </Button>
        </p>
      )}
      <TokenForm />
    </>
  )
}
