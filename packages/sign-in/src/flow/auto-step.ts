import type { Flow } from '@gatehouse/client'

/** Answers that need nothing of the person: a choice among one, unless it must show that a person is there. */
export function onlyAnswer(flow: Flow): object | undefined {
  switch (flow.prompt) {
    case 'authentication_data': {
      const [only, ...others] = flow.action.data.options
      if (others.length > 0 || only === undefined || only.bot_protection) return undefined
      // A choice to trust the device comes with the code.
      if (!('channels' in only)) return undefined
      const [channel, ...more] = only.channels
      return more.length > 0
        ? undefined
        : { authentication: only.authentication, index: 0, channel }
    }
    case 'create_authenticator_data': {
      const [only, ...others] = flow.action.data.options
      if (others.length > 0 || only === undefined || only.bot_protection) return undefined
      if (only.authentication === 'secondary_totp') return { authentication: only.authentication }
      if (!('channels' in only) || only.target === undefined || only.channels.length > 1)
        return undefined
      return { authentication: only.authentication, channel: only.channels[0] }
    }
    case 'select_oob_otp_channels_data': {
      const [channel, ...others] = flow.action.data.channels
      return others.length > 0 ? undefined : { channel }
    }
    case 'account_recovery_select_destination_data':
      return flow.action.data.options.length === 1 ? { index: 0 } : undefined
    default:
      return undefined
  }
}
