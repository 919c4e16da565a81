import { GatehouseProvider, type StepForm, useFlow, useSession } from '@gatehouse/react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { words } from './words.ts'

const focus = (element: HTMLElement | null): void => element?.focus()

function Form({ form }: { readonly form: StepForm }): ReactElement {
  const { name, subject, fields, isRefused, onSubmit } = form
  const problem = isRefused ? { 'aria-invalid': true, 'aria-describedby': 'problem' } : {}
  return (
    <form onSubmit={onSubmit}>
      {fields.map((field) => (
        <label key={field.name}>
          {words[field.name]} <input {...field} {...problem} />
        </label>
      ))}
      <button type="submit">{`${words[name] ?? 'Continue'} ${subject ?? ''}`}</button>
    </form>
  )
}

function Flow({ type }: { readonly type: 'login' | 'signup' | 'account_recovery' }): ReactElement {
  const onFinished = () => location.assign(type === 'account_recovery' ? '/login' : '/account')
  const { flow, forms, error } = useFlow(type, { onFinished })
  const { name, reason = name } = Object(error)
  const title = words[flow?.prompt ?? ''] ?? words[type]
  return (
    <>
      <title>{`${title} · Harborlight`}</title>
      <h1 key={flow?.token} tabIndex={-1} ref={focus}>
        {title}
      </h1>
      <p id="problem" role="alert">
        {error === undefined ? '' : (words[reason] ?? words.problem)}
      </p>
      {flow?.prompt === 'create_totp_data' && (
        <a href={flow.action.data.otpauth_uri}>{flow.action.data.secret}</a>
      )}
      {flow?.prompt === 'view_recovery_code_data' &&
        flow.action.data.recovery_codes.map((code) => <code key={code}>{code}</code>)}
      {forms.map((form) => (
        <Form key={form.key} form={form} />
      ))}
      <nav>
        <a href="/login">Sign in</a> <a href="/signup">Sign up</a>{' '}
        <a href="/recovery">Forgot your password?</a>
      </nav>
    </>
  )
}

function Account(): ReactElement {
  const { session, signOut } = useSession()
  return (
    <>
      <title>Your account · Harborlight</title>
      <h1>{`${session?.user.standard_attributes.email ?? ''}`}</h1>
      {session !== undefined && session.aal > 1 && <p>You have used a second factor.</p>}
      <button type="button" onClick={() => void signOut().then(() => location.reload())}>
        Sign out
      </button>
    </>
  )
}

const types = { '/login': 'login', '/signup': 'signup', '/recovery': 'account_recovery' } as const
const type = types[location.pathname as keyof typeof types]
createRoot(document.querySelector('main') ?? document.body).render(
  <GatehouseProvider>{type ? <Flow type={type} /> : <Account />}</GatehouseProvider>,
)
