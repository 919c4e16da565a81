import { type IdentifyOption, type PasskeyRequestOptions, usePasskey } from '@gatehouse/client'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ScreenProps, useStep } from '../flow/step.ts'
import { useWords, type Write } from '../texts/texts.ts'
import { useBotCheck } from '../widgets/bot-check.tsx'
import {
  Button,
  Choice,
  Divider,
  Field,
  Heading,
  PasswordField,
  ProblemLine,
  StepForm,
  typedIn,
} from '../widgets/form.tsx'
import { Icon, type IconName, ProviderMark, providerName } from '../widgets/icons.tsx'
import { PhoneField } from '../widgets/phone-field.tsx'
import { CustomForm } from './custom.tsx'

type LoginId = 'email' | 'phone' | 'username'

const loginIcons: Readonly<Record<LoginId, IconName>> = {
  email: 'mail',
  phone: 'phone',
  username: 'user',
}

const isLoginId = (name: string): name is LoginId => Object.hasOwn(loginIcons, name)

const isProtected = (options: readonly IdentifyOption[]): boolean =>
  options.some((option) => option.bot_protection?.enabled === true)

/** Says who one is: the first step of most flows. */
export function Identify({ flow }: ScreenProps<'identification_data'>): JSX.Element {
  const { settings, login } = useStep()
  const { t } = useWords()
  const all = flow.action.data.options.map((option, index) => ({ option, index }))
  // Who shall authenticate again must not go on with the session there is.
  const options = settings.again
    ? all.filter(({ option }) => option.identification !== 'select_account')
    : all
  const [ldap, setLdap] = useState<string | undefined>(undefined)
  const bots = useBotCheck(isProtected(flow.action.data.options))
  const loginIds = options.flatMap(({ option }) =>
    isLoginId(option.identification) ? [option.identification] : [],
  )
  const [chosen, setChosen] = useState<LoginId | undefined>(() => likely(login, loginIds))
  const page = flow.type === 'promote' ? 'promote' : flow.type === 'signup' ? 'signup' : 'login'
  const passkeys = options.flatMap(({ option }) =>
    option.identification === 'passkey' ? [option.request_options] : [],
  )
  const [passkey] = passkeys
  if (ldap !== undefined) {
    return <Ldap server={ldap} bots={bots} onBack={() => setLdap(undefined)} />
  }
  const accounts = options.filter(({ option }) => option.identification === 'select_account')
  const providers = options.filter(({ option }) => option.identification === 'oauth')
  const directories = options.filter(({ option }) => option.identification === 'ldap')
  const others = options.filter(({ option }) => !isKnownIdentification(option.identification))
  const hasOthers = providers.length + directories.length > 0 || passkey !== undefined
  return (
    <>
      {flow.type === 'account' ? (
        <Heading title={changeTitle(flow.name, options[0]?.option.identification ?? '', t)} />
      ) : (
        <Heading title={t(`${page}.title`)}>{t(`${page}.text`)}</Heading>
      )}
      {loginIds.length === 0 && <ProblemLine />}
      {accounts.length > 0 && (
        <>
          <div class="choices">
            {accounts.map(({ option, index }) => (
              <AccountChoice key={index} option={option} index={index} />
            ))}
          </div>
          {(loginIds.length > 0 || hasOthers) && <Divider text={t('or')} />}
        </>
      )}
      {providers.length > 0 && (
        <div class="providers">
          {providers.map(({ option }) => (
            <Provider key={'alias' in option ? option.alias : ''} option={option} bots={bots} />
          ))}
        </div>
      )}
      {providers.length > 0 && loginIds.length > 0 && <Divider text={t('or')} />}
      {chosen !== undefined && (
        <LoginIdForm
          key={chosen}
          kind={chosen}
          bots={bots}
          hasPasskey={passkey !== undefined}
          isFirst={accounts.length === 0}
        />
      )}
      {loginIds.length === 0 && bots.widget}
      <OtherWays
        loginIds={loginIds.filter((kind) => kind !== chosen)}
        passkey={passkey}
        directories={directories.flatMap(({ option }) =>
          option.identification === 'ldap' ? [option.server_name] : [],
        )}
        bots={bots}
        token={flow.token}
        onLoginId={setChosen}
        onDirectory={setLdap}
      />
      {others.map(({ option, index }) => (
        <CustomForm
          key={index}
          name={option.identification}
          input={{ identification: option.identification }}
        />
      ))}
      {flow.type !== 'account' && <OtherPages page={page} />}
    </>
  )
}

const addTexts = {
  email: 'account.add.email',
  phone: 'account.add.phone',
  username: 'account.add.username',
  oauth: 'account.add.oauth',
} as const

const isAddable = (name: string): name is keyof typeof addTexts => Object.hasOwn(addTexts, name)

/** What adds a way to sign in to an account, in words. */
export const addTitle = (name: string, t: Write): string =>
  t(isAddable(name) ? addTexts[name] : 'account.add.other', { name })

/** What a flow does that changes how one signs in: its name says whether it adds or replaces. */
const changeTitle = (flow: string, kind: string, t: Write): string =>
  flow === 'replace_identity' && isLoginId(kind)
    ? t('account.about', { what: t('account.replace'), name: t(`label.${kind}`) })
    : addTitle(kind, t)

interface OtherWaysProps {
  readonly loginIds: readonly LoginId[]
  readonly passkey: PasskeyRequestOptions | undefined
  readonly directories: readonly string[]
  readonly bots: Bots
  readonly token: string
  onLoginId(kind: LoginId): void
  onDirectory(name: string): void
}

/** The ways that are not shown at once. */
function OtherWays({
  loginIds,
  passkey,
  directories,
  bots,
  token,
  onLoginId,
  onDirectory,
}: OtherWaysProps): JSX.Element | null {
  const { submit, fail, isBusy } = useStep()
  const { t } = useWords()
  const conditional = useConditionalPasskey(passkey, token)
  if (loginIds.length + directories.length === 0 && passkey === undefined) return null
  return (
    <div class="others">
      {loginIds.map((kind) => (
        <Button key={kind} look="plain" icon={loginIcons[kind]} onClick={() => onLoginId(kind)}>
          {t(`with.${kind}`)}
        </Button>
      ))}
      {passkey !== undefined && (
        <Button
          look="plain"
          icon="key"
          disabled={bots.isMissing || isBusy}
          onClick={() => {
            // Browsers run one dialog at a time.
            conditional.stop()
            usePasskey(passkey).then(
              (assertion_response) =>
                submit({ identification: 'passkey', assertion_response, ...bots.members }),
              fail,
            )
          }}
        >
          {t('with.passkey')}
        </Button>
      )}
      {directories.map((server) => (
        <Button key={server} look="plain" icon="building" onClick={() => onDirectory(server)}>
          {t('with.ldap', { server })}
        </Button>
      ))}
    </div>
  )
}

/** `id_token` is of apps, which have a page of their own: people cannot type one. */
const builtIn: readonly string[] = ['oauth', 'passkey', 'select_account', 'id_token', 'ldap']
/** Whether the page draws an identification by itself. */
export const isKnownIdentification = (name: string): boolean =>
  isLoginId(name) || builtIn.includes(name)

/** The kind of what was typed before, else the first one. */
function likely(login: string, kinds: readonly LoginId[]): LoginId | undefined {
  const seen: LoginId = login.includes('@') ? 'email' : login.startsWith('+') ? 'phone' : 'username'
  return login !== '' && kinds.includes(seen) ? seen : kinds[0]
}

type Bots = ReturnType<typeof useBotCheck>

interface LoginIdProps {
  readonly kind: LoginId
  readonly bots: Bots
  readonly hasPasskey?: boolean
  readonly isFirst?: boolean
  readonly submitText?: string
}

function LoginIdForm({
  kind,
  bots,
  hasPasskey = false,
  isFirst = true,
}: LoginIdProps): JSX.Element {
  const { submit, remember, login } = useStep()
  const { t } = useWords()
  const autocomplete = `${kind === 'phone' ? 'tel' : kind === 'email' ? 'email' : 'username'}${hasPasskey ? ' webauthn' : ''}`
  const initial = likely(login, [kind, 'email', 'phone', 'username']) === kind ? login : ''
  return (
    <StepForm
      onSubmit={(form) => {
        const login_id = typedIn(form, 'login').trim()
        remember(login_id)
        return bots.isMissing
          ? undefined
          : submit({ identification: kind, login_id, ...bots.members })
      }}
    >
      {kind === 'phone' ? (
        <PhoneField name="login" isFirst={isFirst} initial={initial} autocomplete={autocomplete} />
      ) : (
        <Field
          label={t(`label.${kind}`)}
          name="login"
          type={kind === 'email' ? 'email' : 'text'}
          autocomplete={hasPasskey ? 'username webauthn' : kind === 'email' ? 'email' : 'username'}
          dir="ltr"
          defaultValue={initial}
          isAsked
          isFirst={isFirst}
          required
        />
      )}
      {bots.widget}
    </StepForm>
  )
}

function AccountChoice({
  option,
  index,
}: {
  readonly option: IdentifyOption
  readonly index: number
}): JSX.Element {
  const { submit, isBusy } = useStep()
  const { t } = useWords()
  const name = ('display_name' in option ? option.display_name : undefined) ?? ''
  return (
    <Choice
      mark={<b class="initial">{[...name.replace(/^\+/, '')][0]?.toUpperCase() ?? '·'}</b>}
      title={t('with.account', { name })}
      text={t('account.this')}
      isFirst={index === 0}
      disabled={isBusy}
      onClick={() => submit({ identification: 'select_account', index })}
    />
  )
}

function Provider({
  option,
  bots,
}: {
  readonly option: IdentifyOption
  readonly bots: Bots
}): JSX.Element | null {
  const { submit, isBusy, settings } = useStep()
  const { t } = useWords()
  if (option.identification !== 'oauth') return null
  const { alias, oauth_provider_type: type, provider_status: status } = option
  const isOff = status === 'missing_credentials'
  const name = providerName(type, alias)
  return (
    <button
      type="button"
      class="provider"
      disabled={isBusy || isOff || bots.isMissing}
      title={isOff ? t('provider.off') : undefined}
      onClick={() =>
        submit({
          identification: 'oauth',
          alias,
          redirect_uri: callbackUrl(settings),
          ...bots.members,
        })
      }
    >
      <ProviderMark type={type} />
      <span class="long">{t('with.provider', { provider: name })}</span>
    </button>
  )
}

/** Where identity providers lead back to. */
const callbackUrl = ({
  root,
  paths,
}: {
  readonly root: string
  readonly paths: { readonly callback: string }
}): string => new URL(`${root}${paths.callback}`, location.origin + location.pathname).href

function Ldap({
  server,
  bots,
  onBack,
}: {
  readonly server: string
  readonly bots: Bots
  onBack(): void
}): JSX.Element {
  const { submit } = useStep()
  const { t } = useWords()
  return (
    <>
      <Heading title={t('ldap.title')}>{server}</Heading>
      <StepForm
        onSubmit={(form) =>
          bots.isMissing
            ? undefined
            : submit({
                identification: 'ldap',
                server_name: server,
                username: typedIn(form, 'username').trim(),
                password: typedIn(form, 'password'),
                ...bots.members,
              })
        }
      >
        <Field
          label={t('ldap.username')}
          name="username"
          autocomplete="username"
          isFirst
          required
        />
        <PasswordField
          label={t('label.password')}
          name="password"
          autocomplete="current-password"
          isAsked
          required
        />
        {bots.widget}
      </StepForm>
      <Button look="quiet" onClick={onBack}>
        {t('back')}
      </Button>
    </>
  )
}

/** Offers passkeys in the autofill of the field, as long as the step is shown; `stop` ends the offer. */
function useConditionalPasskey(
  request: PasskeyRequestOptions | undefined,
  token: string,
): { stop(): void } {
  const { submit } = useStep()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    if (request === undefined) return undefined
    const waiting = new AbortController()
    running.current = waiting
    const { PublicKeyCredential: Credential } = globalThis as {
      PublicKeyCredential?: { isConditionalMediationAvailable?(): Promise<boolean> }
    }
    const offer = async (): Promise<void> => {
      if ((await Credential?.isConditionalMediationAvailable?.()) !== true) return
      const { signal } = waiting
      if (signal.aborted) return
      const options = { mediation: 'conditional', signal } as const
      const assertion_response = await usePasskey(request, options)
      await submit({ identification: 'passkey', assertion_response })
    }
    // It ends when the step does, or when the person chooses nothing.
    offer().catch(() => {})
    return () => waiting.abort()
    // One offer a step: another one would cancel it.
  }, [token])
  return { stop: () => running.current?.abort() }
}

function OtherPages({ page }: { readonly page: 'login' | 'signup' | 'promote' }): JSX.Element {
  const { settings, pageUrl } = useStep()
  const { t } = useWords()
  const other = page === 'login' ? 'signup' : 'login'
  return (
    <>
      {page === 'login' && settings.flows.recovery !== undefined && (
        <p class="center">
          <a href={pageUrl('recovery')}>{t('to.recovery')}</a>
        </p>
      )}
      {settings.flows[other] !== undefined && (
        <p class="elsewhere">
          {t(`to.${other}.text`)} <a href={pageUrl(other)}>{t(`to.${other}`)}</a>
        </p>
      )}
    </>
  )
}

/** Says whose account is to be recovered. */
export function RecoveryIdentify({
  flow,
}: ScreenProps<'account_recovery_identification_data'>): JSX.Element {
  const { login, pageUrl } = useStep()
  const { t } = useWords()
  const { options } = flow.action.data
  const kinds = options.flatMap(({ identification }) =>
    isLoginId(identification) ? [identification] : [],
  )
  const bots = useBotCheck(isProtected(options))
  const [chosen, setChosen] = useState(() => likely(login, kinds) ?? 'email')
  return (
    <>
      <Heading title={t('recovery.title')}>{t('recovery.text')}</Heading>
      <LoginIdForm key={chosen} kind={chosen} bots={bots} />
      {kinds.length > 1 && (
        <div class="others">
          {kinds
            .filter((kind) => kind !== chosen)
            .map((kind) => (
              <Button
                key={kind}
                look="plain"
                icon={loginIcons[kind]}
                onClick={() => setChosen(kind)}
              >
                {t(`with.${kind}`)}
              </Button>
            ))}
        </div>
      )}
      <p class="center">
        <a href={pageUrl('login')}>{t('to.recovery.back')}</a>
      </p>
    </>
  )
}

/** There is an account with the address already: signs in to it, and adds the new way. */
export function LinkAccount({
  flow,
}: ScreenProps<'account_linking_identification_data'>): JSX.Element {
  const { submit, isBusy, settings } = useStep()
  const { t } = useWords()
  const { options } = flow.action.data
  const bots = useBotCheck(options.some(({ bot_protection: one }) => one?.enabled === true))
  return (
    <>
      <Heading title={t('link-account.title')}>{t('link-account.text')}</Heading>
      <ProblemLine />
      {bots.widget}
      <div class="choices">
        {options.map((option, index) => (
          <Choice
            key={`${option.identification}-${option.masked_display_name}`}
            isFirst={index === 0}
            disabled={isBusy || bots.isMissing}
            mark={
              option.identification === 'oauth' ? (
                <ProviderMark type={option.oauth_provider_type} />
              ) : (
                <Icon
                  name={
                    isLoginId(option.identification) ? loginIcons[option.identification] : 'key'
                  }
                />
              )
            }
            title={t('link-account.as', { name: option.masked_display_name })}
            text={
              option.identification === 'oauth'
                ? providerName(option.oauth_provider_type, option.alias)
                : undefined
            }
            onClick={() =>
              submit({
                index,
                ...(option.identification === 'oauth'
                  ? { redirect_uri: callbackUrl(settings) }
                  : {}),
                ...bots.members,
              })
            }
          />
        ))}
      </div>
    </>
  )
}
