import type { Link } from '../pages/layout.ts'
import type { IdentificationOption, OAuthData } from '../protocol.ts'
import { type Field, type StepForm, type StepPage, waysOf } from './step-page.ts'
import type { StepSetting } from './step-setting.ts'

/** `identification_data`: one form for each way to identify. */
export function identifyPage(
  flow: string,
  options: readonly IdentificationOption[],
  setting: StepSetting,
): StepPage {
  const forms = options.flatMap((option, index) => formOf(option, index, setting.redirectUri))
  const [only, ...others] = forms
  const isTyped = only?.fields !== undefined && others.length === 0
  return {
    ...wordsOf(flow),
    ...waysOf(isTyped ? [{ ...only, button: 'Continue' }] : forms),
    links: linksOf(flow, setting),
  }
}

function wordsOf(flow: string): { title: string; text?: string } {
  if (flow === 'signup') return { title: 'Create your account' }
  if (flow !== 'account_recovery') return { title: 'Sign in' }
  return {
    title: 'Reset your password',
    text: 'Who are you? We send you a message with which you can choose a new password.',
  }
}

function linksOf(flow: string, { links }: StepSetting): readonly Link[] {
  if (flow === 'signup') return [links.signIn]
  return flow === 'login' ? [links.signUp, links.recover] : [links.signIn]
}

const loginIds: Readonly<Record<string, Omit<Field, 'name' | 'autocomplete'>>> = {
  email: { label: 'Email address', type: 'email' },
  phone: { label: 'Phone number', type: 'tel', hint: 'With its country code, like +65 9123 4567' },
  username: { label: 'Username' },
}

/** Empty for a way these pages do not support. */
function formOf(option: IdentificationOption, index: number, redirectUri: string): StepForm[] {
  const { identification } = option
  const loginId = loginIds[identification]
  if (loginId !== undefined) {
    const field = { ...loginId, name: 'login_id', autocomplete: 'username' }
    return [
      { hidden: { identification }, fields: [field], button: `Continue by ${identification}` },
    ]
  }
  switch (identification) {
    case 'select_account':
      return [
        {
          hidden: { identification, index },
          button: `Continue as ${option.display_name ?? 'before'}`,
        },
      ]
    case 'oauth': {
      const alias = aliasOf(option)
      const hidden = { identification, alias, redirect_uri: redirectUri }
      return [
        { hidden, button: `Continue with ${providerName(option.oauth_provider_type, alias)}` },
      ]
    }
    case 'passkey': {
      const { request_options: options } = option
      if (options === undefined) return []
      const passkey = { does: 'get', options } as const
      return [{ hidden: { identification }, passkey, button: 'Use a passkey' }]
    }
    default:
      return []
  }
}

const aliasOf = (option: IdentificationOption): string =>
  option.oauth_provider_alias ?? option.alias ?? ''

const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  facebook: 'Facebook',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  azureadv2: 'Microsoft',
  azureadb2c: 'Microsoft',
  apple: 'Apple',
  wechat: 'WeChat',
}

/** A provider of an unknown type is called by its alias. */
function providerName(type = '', alias = 'your provider'): string {
  return providerNames[type] ?? alias
}

/**
 * `oauth_data`: a page that sends the browser to the provider. A redirect in answer to a form would not work, since the security
 * policy's `form-action` forbids it.
 */
export function oauthPage(data: OAuthData, setting: StepSetting): StepPage {
  const address = new URL(data.oauth_authorization_url)
  address.searchParams.set('state', setting.leave())
  const name = providerName(data.oauth_provider_type, data.oauth_provider_alias)
  return {
    title: `Continue with ${name}`,
    text: `Sign in with ${name}, then come back here.`,
    forms: [],
    links: [[`Go to ${name}`, address.href], setting.links.signIn],
    onwardTo: address.href,
  }
}

/** `account_linking_identification_data`: an account has this identity already; its owner signs in to link it. */
export function linkAccountPage(
  options: readonly IdentificationOption[],
  { redirectUri, links }: StepSetting,
): StepPage {
  return {
    title: 'You have an account already',
    text: 'Sign in to it once, and from then on you can sign in both ways.',
    forms: options.map((option, index) => {
      const { identification, masked_display_name: name = 'that account' } = option
      const uri = identification === 'oauth' ? { redirect_uri: redirectUri } : {}
      return { hidden: { index, ...uri }, button: `Sign in as ${name}` }
    }),
    links: [links.signIn],
  }
}
