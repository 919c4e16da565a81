import type { CreatedApiKey, OwnApiKeys } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { StepContext } from '../flow/step.ts'
import { dateInWords, joined, useWords } from '../texts/texts.ts'
import { CopyButton } from '../widgets/copy-button.tsx'
import { Button, Checkbox, Field, typedIn } from '../widgets/form.tsx'
import type { AccountView } from './account-view.ts'
import { focusOn, noStep, RemoveButton, Row, Section } from './parts.tsx'

const dayMs = 86_400_000

/** Gives the focus to what came in place of what had it. */
const focusWithin = (element: HTMLElement | null): void =>
  focusOn(element?.querySelector<HTMLElement>('input, button') ?? null)

/** The API keys of the person, where the app lets people have some. */
export function ApiKeys({ view }: { readonly view: AccountView }): JSX.Element | null {
  const { t, language } = useWords()
  const { account, act, auth, fail, isBusy } = view
  const [keys, setKeys] = useState<OwnApiKeys | undefined>(undefined)
  const [isAdding, setAdding] = useState(false)
  const [hasCancelled, setCancelled] = useState(false)
  const [made, setMade] = useState<CreatedApiKey | undefined>(undefined)
  // With the account, which is read again after each change.
  useEffect(() => {
    if (account.changes.api_keys) auth.account.apiKeys().then(setKeys, fail)
  }, [auth, account, fail])
  if (keys === undefined || (keys.scopes.length === 0 && keys.items.length === 0)) return null
  const isOffered = keys.scopes.length > 0 && !isAdding
  return (
    <Section
      id="api-keys"
      title={t('account.keys')}
      text={t('account.keys.text')}
      actions={
        isOffered ? (
          <Button
            look="plain"
            {...(hasCancelled && { element: focusOn })}
            onClick={() => {
              setAdding(true)
              setCancelled(false)
            }}
          >
            {t('account.keys.add')}
          </Button>
        ) : undefined
      }
    >
      {made !== undefined && keys.items.some(({ id }) => id === made.api_key.id) && (
        <div class="notice" role="status" ref={focusWithin} key={made.api_key.id}>
          <p>{t('account.keys.made')}</p>
          <div class="secret-row">
            <code dir="ltr">{made.key}</code>
            <CopyButton text={made.key} />
          </div>
        </div>
      )}
      {keys.items.map(({ id, name, scopes, expires_at: end, last_used_at: used }) => {
        const parts = [
          scopes.join(' '),
          used === null
            ? t('account.keys.unused')
            : t('account.keys.used', { date: dateInWords(used, language) }),
          ...(end === null ? [] : [t('account.keys.until', { date: dateInWords(end, language) })]),
        ]
        return (
          <Row key={id} icon="key" title={name} text={joined(parts, language)}>
            <RemoveButton
              name={name}
              text={t('account.keys.revoke')}
              disabled={isBusy}
              onRemove={() => act((client) => client.account.revokeApiKey(id))}
            />
          </Row>
        )
      })}
      {isAdding && (
        <NewKey
          keys={keys}
          isBusy={isBusy}
          onCancel={() => {
            setAdding(false)
            setCancelled(true)
          }}
          onAdd={(key) =>
            act(async (client) => {
              setMade(await client.account.createApiKey(key))
              setAdding(false)
            })
          }
        />
      )}
    </Section>
  )
}

interface WantedKey {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at?: string
}

function NewKey({
  keys: { scopes, max_lifetime_days: days },
  isBusy,
  onAdd,
  onCancel,
}: {
  readonly keys: OwnApiKeys
  readonly isBusy: boolean
  onAdd(key: WantedKey): void
  onCancel(): void
}): JSX.Element {
  const { t } = useWords()
  const latest = days === null ? undefined : dayAfter(days)
  const [hasScope, setHasScope] = useState(false)
  const chosenIn = (form: HTMLFormElement): readonly string[] =>
    scopes.filter((scope) => typedIn(form, `scope ${scope}`) === 'on')
  return (
    <form
      class="form"
      ref={focusWithin}
      aria-label={t('account.keys.add')}
      onInput={(event) => setHasScope(chosenIn(event.currentTarget).length > 0)}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const end = typedIn(form, 'end')
        onAdd({
          name: typedIn(form, 'name'),
          scopes: chosenIn(form),
          // A key is good until the end of its last day, unless it must end before.
          ...(end === '' || end === latest ? {} : { expires_at: `${end}T23:59:59Z` }),
        })
      }}
    >
      {/* Fields tell what was refused by the step that they are in; here there is none. */}
      <StepContext.Provider value={noStep}>
        <Field
          name="name"
          label={t('account.keys.name')}
          isFirst
          required
          maxLength={100}
          autocomplete="off"
        />
        <fieldset class="scopes">
          <legend>{t('account.keys.scopes')}</legend>
          {scopes.map((scope) => (
            <Checkbox key={scope} name={`scope ${scope}`} label={scope} />
          ))}
        </fieldset>
        <Field
          name="end"
          type="date"
          label={t('account.keys.end')}
          {...(latest === undefined ? {} : { defaultValue: latest })}
        />
      </StepContext.Provider>
      <div class="button-row">
        <Button type="submit" isBusy={isBusy} disabled={!hasScope}>
          {t('account.keys.add')}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

const dayAfter = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
