import type { Destination } from '../protocol.ts'
import { channelNames } from './authenticate.ts'
import type { StepPage } from './step-page.ts'

/** `account_recovery_select_destination_data`: choose where the recovery message goes. */
export function selectDestinationPage(options: readonly Destination[]): StepPage {
  return {
    title: 'Where do we send the message?',
    forms: options.map(({ masked_display_name: name, channel, otp_form: form }, index) => ({
      hidden: { index },
      button: `Send a ${form} ${channelNames[channel] ?? ''} to ${name}`,
    })),
  }
}
