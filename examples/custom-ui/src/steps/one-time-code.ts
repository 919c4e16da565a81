import type { OtpData, RecoveryCodeData } from '../protocol.ts'
import { wait } from '../words.ts'
import { channelNames } from './authenticate.ts'
import type { StepForm, StepPage } from './step-page.ts'

/** `select_oob_otp_channels_data`: choose the channel of a code. */
export function selectChannelPage(channels: readonly string[], target: string): StepPage {
  return {
    title: 'Where do we send the code?',
    text: `To ${target}:`,
    forms: channels.map((channel) => ({
      hidden: { channel },
      button: `Send it ${channelNames[channel] ?? channel}`,
    })),
  }
}

/** `verify_oob_otp_data`: a code or a link was sent. */
export function otpPage(data: OtpData, now: number): StepPage {
  const { otp_form: form, channel, masked_claim_value: target, delivery_status: status } = data
  const how = `${channelNames[channel] ?? ''} to ${target}`
  if (status === 'failed') {
    return {
      ...sent(form),
      text: `We could not send a ${form} ${how}.`,
      forms: [resend(data, now)],
    }
  }
  if (data.failed_attempt_rate_limit_exceeded) {
    return { ...sent(form), text: 'Too many wrong codes.', forms: [resend(data, now)] }
  }
  const text = `We have sent a ${form} ${how}.`
  return {
    ...sent(form),
    text,
    forms: [form === 'link' ? check(data) : enter('code'), resend(data, now)],
  }
}

/** `account_recovery_verify_code_data`: the same for account recovery. Its link leads to `/reset`, on any device. */
export function recoveryCodePage(data: RecoveryCodeData, now: number): StepPage {
  const { otp_form: form, masked_display_name: target, channel } = data
  const text = `If there is an account of ${target}, we have sent a ${form} to it ${channelNames[channel] ?? ''}.`
  if (form === 'link') {
    const more = 'Open it to choose a new password. You can close this page.'
    return { title: 'Open the link', text: `${text} ${more}`, forms: [resend(data, now)] }
  }
  if (data.failed_attempt_rate_limit_exceeded) {
    return { ...sent(form), text: 'Too many wrong codes.', forms: [resend(data, now)] }
  }
  return { ...sent(form), text, forms: [enter('account_recovery_code'), resend(data, now)] }
}

function sent(form: string): { title: string } {
  return { title: form === 'link' ? 'Open the link' : 'Enter the code' }
}

function enter(name: string): StepForm {
  const field = {
    name,
    label: 'Code',
    autocomplete: 'one-time-code',
    hint: 'Six digits',
    isNumber: true,
  }
  return { hidden: {}, fields: [field], button: 'Continue' }
}

/** The link may be confirmed on any device; the flow continues here. */
function check({ can_check: isApproved, websocket_url: address }: OtpData): StepForm {
  // The address serves the same events over SSE as over a WebSocket.
  const events = address === undefined ? {} : { sentOnEventOf: address.replace(/^ws/, 'http') }
  return {
    hidden: { check: true },
    button: isApproved ? 'Continue' : 'I have opened the link',
    ...(isApproved ? {} : events),
  }
}

function resend(
  { can_resend_at: at, otp_form: form }: OtpData | RecoveryCodeData,
  now: number,
): StepForm {
  const seconds = Math.ceil((Date.parse(at) - now) / 1_000)
  const when = seconds > 0 ? ` (in ${wait(seconds)})` : ''
  return { hidden: { resend: true }, button: `Send another ${form}${when}` }
}
