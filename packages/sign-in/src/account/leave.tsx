import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { dateInWords, useWords } from '../texts/texts.ts'
import { Button, Heading } from '../widgets/form.tsx'
import type { AccountView } from './account-view.ts'
import { focusOn, Section } from './parts.tsx'

/** Saves a value as a file, without a request of its own: its answer would be a page if the session has ended. */
function saveJson(value: object, name: string): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** The data of the account, to keep. */
export function OwnData({ view }: { readonly view: AccountView }): JSX.Element {
  const { t } = useWords()
  const { auth, fail, isBusy } = view
  const save = (): void => {
    auth.account.export().then((data) => saveJson(data, 'account.json'), fail)
  }
  return (
    <Section
      id="data"
      title={t('account.data')}
      text={t('account.data.text')}
      actions={
        <Button look="plain" disabled={isBusy} onClick={save}>
          {t('account.data.export')}
        </Button>
      }
    />
  )
}

/** Deletes the account, after a question. */
export function DeleteAccount({ view }: { readonly view: AccountView }): JSX.Element | null {
  const { t, language } = useWords()
  const { account, auth, fail, isBusy, deleted } = view
  const [isAsking, setAsking] = useState(false)
  const [isSure, setSure] = useState(false)
  const { delete_account: rule } = account.changes
  if (rule === undefined) return null
  const format = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const
  const time = new Intl.NumberFormat(language, format).format(rule.grace_period_days)
  return (
    <Section id="delete" title={t('account.delete')} text={t('account.delete.text', { time })}>
      {isAsking ? (
        <form
          class="form"
          aria-label={t('account.delete')}
          onSubmit={(event) => {
            event.preventDefault()
            auth.account.scheduleDeletion().then(({ delete_at }) => deleted(delete_at), fail)
          }}
        >
          <label class="checkbox">
            <input
              type="checkbox"
              ref={focusOn}
              checked={isSure}
              onChange={(event) => setSure(event.currentTarget.checked)}
            />
            <span>{t('account.delete.sure')}</span>
          </label>
          <div class="button-row">
            <Button type="submit" look="danger" disabled={!isSure || isBusy}>
              {t('account.delete')}
            </Button>
            <Button look="quiet" onClick={() => setAsking(false)}>
              {t('cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div class="section-actions">
          <Button
            look="plain"
            onClick={() => {
              setSure(false)
              setAsking(true)
            }}
          >
            {t('account.delete')}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** Says when the account will be gone, and how to keep it. */
export function Deleted({
  at,
  loginUrl,
}: {
  readonly at: string
  readonly loginUrl: string
}): JSX.Element {
  const { t, language } = useWords()
  return (
    <>
      <Heading title={t('account.deleted.title')}>
        {t('account.deleted.text', { date: dateInWords(at, language) })}
      </Heading>
      <a class="button primary" href={loginUrl}>
        <span>{t('to.login')}</span>
      </a>
    </>
  )
}
