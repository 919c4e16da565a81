import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMay } from '../../data/me.ts'
import { signInAddress } from '../../data/sign-in-address.ts'
import { hashOf, usePlace } from '../../route/route.ts'
import { usePeopleTexts } from '../../texts/people-texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../widgets/dialog.tsx'
import { PageHead } from '../../widgets/page-head.tsx'
import { Empty } from '../../widgets/states.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ImportForm } from './import-form.tsx'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { NewUserForm } from './new-user-form.tsx'
import classes from './people-page.module.css'
import { UserDetails } from './user-details.tsx'
import { UserList } from './user-list.tsx'

const goTo = (...segments: readonly string[]): void => {
  location.hash = hashOf(['people', ...segments])
}

/** The people who sign in: a list to search, and `#/people/user/…` for one of them. */
export default function PeoplePage(): ReactNode {
  const texts = useTexts()
  const people = usePeopleTexts()
  const { segments } = usePlace()
  const may = useMay('users:manage')
  const mayManageKeys = useMay('api-keys:manage')
  const [, place, id] = segments
  if (!may.allowed) {
    return (
      <>
        <PageHead title={texts.pages.people} />
        <Empty title={texts.states.notAllowed}>
          <span>{may.reason}</span>
          {may.wouldSignIn && (
            <Button component="a" href={signInAddress()}>
              {texts.access.signIn}
            </Button>
          )}
        </Empty>
      </>
    )
  }
  if (place === 'services') return <Services />
  if (place === 'user' && id !== undefined) return <UserDetails key={id} id={id} />
  const dialogs = {
    new: { title: people.create, content: <NewUserForm onDone={(id) => goTo('user', id)} /> },
    import: { title: people.import, content: <ImportForm /> },
    invite: { title: people.invite, content: <InviteForm onDone={() => goTo()} /> },
  }
  const isDialog = place === 'new' || place === 'import' || place === 'invite'
  const dialog = isDialog ? dialogs[place] : undefined
  return (
    <>
      <PageHead title={texts.pages.people}>
        <Group gap="xs">
          {mayManageKeys.allowed && (
            <Button variant="default" component="a" href={hashOf(['people', 'services'])}>
              {people.keysOfServices}
            </Button>
          )}
          <Button variant="default" component="a" href={hashOf(['people', 'import'])}>
            {people.import}
          </Button>
          <Button variant="default" component="a" href={hashOf(['people', 'invite'])}>
            {people.invite}
          </Button>
          <Button component="a" href={hashOf(['people', 'new'])}>
            {people.create}
          </Button>
        </Group>
      </PageHead>
      <Invitations />
      <UserList />
      <Dialog opened={dialog !== undefined} onClose={() => goTo()} title={dialog?.title} size="lg">
        {dialog?.content}
      </Dialog>
    </>
  )
}

/** The API keys that belong to no person. */
function Services(): ReactNode {
  const people = usePeopleTexts()
  const { pages } = useTexts()
  return (
    <>
      <p className={classes.note}>
        <a href={hashOf(['people'])}>← {pages.people}</a>
      </p>
      <PageHead title={people.keysOfServices} />
      <p className={classes.note}>{people.keysOfServicesDetail}</p>
      <div className={classes.parts}>
        <ApiKeys />
      </div>
    </>
  )
}
