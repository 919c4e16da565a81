import type { LoadedAuthConfig } from '../config.ts'
import type { Channel } from '../flow-definition.ts'

/** What a program provides, as far as the warnings need to know. */
export interface ProvidedPorts {
  readonly senders: { readonly [Name in 'sendEmail' | 'sendSms' | 'sendWhatsapp']?: unknown }
  /** Whether phone numbers are checked by national numbering plans. */
  readonly knowsPhones: boolean
}

/** Warnings about what a configuration offers and its program does not provide, a sentence each. */
export function portWarnings(
  config: LoadedAuthConfig,
  { senders, knowsPhones }: ProvidedPorts,
): readonly string[] {
  const channels = channelsOf(config)
  const missing = (
    [
      ['email', 'email', senders.sendEmail, 'senders.sendEmail, or auth.smtp of the command'],
      ['sms', 'SMS', senders.sendSms, 'senders.sendSms, or auth.sms of the command'],
      [
        'whatsapp',
        'WhatsApp',
        senders.sendWhatsapp,
        'senders.sendWhatsapp, or auth.whatsapp of the command',
      ],
    ] as const
  ).flatMap(([channel, name, sender, option]) =>
    channels.has(channel) && sender === undefined
      ? [
          `no sender for ${name} is configured, so its codes and links cannot be sent: set ${option}`,
        ]
      : [],
  )
  const hasPhones = channels.has('sms') || channels.has('whatsapp')
  const unchecked =
    'phone numbers are checked only by their shape: the package libphonenumber-js adds national numbering plans, in a program with phoneNumbers: createPhoneNumbers() of @gatehouse/core/phone'
  return [...missing, ...(hasPhones && !knowsPhones ? [unchecked] : [])]
}

/** How a configuration has codes and links sent. */
function channelsOf({
  identity,
  authentication,
  authenticator,
}: LoadedAuthConfig): ReadonlySet<Channel> {
  const types = identity.login_id.keys.map(({ type }) => type)
  const authenticators = [
    ...authentication.primary_authenticators,
    ...authentication.secondary_authenticators,
  ]
  const channels = new Set<Channel>()
  if (types.includes('email') || authenticators.includes('oob_otp_email')) channels.add('email')
  if (types.includes('phone') || authenticators.includes('oob_otp_sms')) {
    const { phone_otp_mode: mode } = authenticator.oob_otp.sms
    if (mode !== 'whatsapp') channels.add('sms')
    if (mode !== 'sms') channels.add('whatsapp')
  }
  return channels
}
