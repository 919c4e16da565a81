import type { AuthenticateInput, AuthenticateOption, Flow } from '@gatehouse/client'

/** What the user types to answer a prompt; `none` if a press of the button is enough. */
export type Asked = 'login_id' | 'password' | 'code' | 'recovery_code' | 'none'

/** One way to answer a prompt of a sign-in. */
export interface Choice {
  readonly name: string
  /** Where a code goes, masked. */
  readonly target?: string
  readonly asked: Asked
  submit(typed: string): Promise<Flow>
}

/**
 * Declines what a sign-in offers and does not need, such as a passkey for the next time, and returns the first prompt that the user
 * must answer.
 */
export async function skipOffers(flow: Flow): Promise<Flow> {
  if (flow.prompt !== 'create_passkey_data') return flow
  return skipOffers(await flow.submit({ skip: true }))
}

/** The ways to answer a prompt that this page knows; none for a prompt that needs the app's own page. */
export function choicesOf(flow: Flow): readonly Choice[] {
  switch (flow.prompt) {
    case 'identification_data': {
      const names = flow.action.data.options.map(({ identification }) => identification)
      const known = loginIdTypes.filter((type) => names.includes(type))
      if (known.length === 0) return []
      const submit = (typed: string): Promise<Flow> =>
        flow.submit({ identification: typeOfLoginId(typed, known), login_id: typed.trim() })
      return [{ name: 'login_id', asked: 'login_id', submit }]
    }
    case 'authentication_data':
      return flow.action.data.options.flatMap((option, index) =>
        choiceOf(option, index, (input) => flow.submit(input)),
      )
    case 'select_oob_otp_channels_data':
      return flow.action.data.channels.map((channel) => ({
        name: channel,
        target: flow.action.data.masked_claim_value,
        asked: 'none',
        submit: () => flow.submit({ channel }),
      }))
    case 'verify_oob_otp_data': {
      const { otp_form: form, masked_claim_value: target } = flow.action.data
      if (form !== 'code') return []
      const submit = (typed: string): Promise<Flow> => flow.submit({ code: typed.trim() })
      return [{ name: 'code', target, asked: 'code', submit }]
    }
    default:
      return []
  }
}

const loginIdTypes = ['email', 'phone', 'username'] as const
type LoginIdType = (typeof loginIdTypes)[number]

/** What the user means by a login ID: the form decides, as far as there is a choice. */
function typeOfLoginId(typed: string, known: readonly LoginIdType[]): LoginIdType {
  const looksLike = typed.includes('@')
    ? 'email'
    : /^\s*\+[\d\s-]+$/.test(typed)
      ? 'phone'
      : 'username'
  return known.includes(looksLike) ? looksLike : (known[0] ?? 'email')
}

function choiceOf(
  option: AuthenticateOption,
  index: number,
  submit: (input: AuthenticateInput) => Promise<Flow>,
): readonly Choice[] {
  const { authentication: name } = option
  switch (name) {
    case 'primary_password':
    case 'secondary_password':
      return [
        {
          name,
          asked: 'password',
          submit: (password) => submit({ authentication: name, password }),
        },
      ]
    case 'secondary_totp':
      return [
        {
          name,
          asked: 'code',
          submit: (typed) => submit({ authentication: name, code: typed.trim() }),
        },
      ]
    case 'recovery_code':
      return [
        {
          name,
          asked: 'recovery_code',
          submit: (typed) => submit({ authentication: name, recovery_code: typed.trim() }),
        },
      ]
    case 'primary_oob_otp_email':
    case 'primary_oob_otp_sms':
    case 'secondary_oob_otp_email':
    case 'secondary_oob_otp_sms': {
      const { masked_display_name: target, channels } = option
      return channels.map((channel) => ({
        name,
        target,
        asked: 'none',
        submit: () => submit({ authentication: name, index, channel }),
      }))
    }
    default:
      return []
  }
}
