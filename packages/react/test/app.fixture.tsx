import {
  Account,
  GatehouseProvider,
  SignedIn,
  SignedOut,
  SignIn,
  useFlow,
  useSession,
} from '@gatehouse/react'
import { type ReactElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** The new password of somebody whom a link has led here. */
function Reset(): ReactElement {
  const { status, flow, submit } = useFlow('account_recovery')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit({ new_password: new FormData(event.currentTarget).get('typed') })
      }}
    >
      <output>{status === 'running' ? flow?.prompt : status}</output>
      <input name="typed" aria-label="New password" />
    </form>
  )
}

/** A form of the app's own, on the hook. */
function OwnForm(): ReactElement {
  const { status, flow, error, submit, restart } = useFlow('login')
  if (status === 'finished') return <p>finished</p>
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('typed'))
        void submit(
          flow?.prompt === 'identification_data'
            ? { identification: 'email', login_id: typed }
            : { authentication: 'primary_password', password: typed },
        )
      }}
    >
      <output>{flow?.prompt ?? status}</output>
      <p role="alert">{error instanceof Error ? error.message : ''}</p>
      <input name="typed" aria-label="Answer" key={flow?.token} />
      <button type="submit">Go on</button>
      <button type="button" onClick={restart}>
        Start again
      </button>
    </form>
  )
}

function Greeting(): ReactElement {
  const { status, session, signOut } = useSession()
  return (
    <header>
      <output id="who">{session?.user.standard_attributes.email?.toString() ?? status}</output>
      <button type="button" onClick={() => void signOut()}>
        Leave
      </button>
    </header>
  )
}

function Page(): ReactElement {
  switch (location.pathname) {
    case '/own':
      return <OwnForm />
    case '/reset':
      return <Reset />
    case '/me':
      return <Account onSignedOut={() => location.assign('/')} />
    case '/join':
      return <SignIn page="signup" after="/me" language="de" />
    default:
      return (
        <>
          <SignedIn>
            <p>inside</p>
          </SignedIn>
          <SignedOut>
            <SignIn />
          </SignedOut>
        </>
      )
  }
}

const root = document.getElementById('app')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <GatehouseProvider>
        <Greeting />
        <Page />
      </GatehouseProvider>
    </StrictMode>,
  )
}
