import type { FlowState } from '../protocol.ts'
import { authenticatePage } from './authenticate.ts'
import {
  createAuthenticatorPage,
  createPasskeyPage,
  createTotpPage,
} from './create-authenticator.ts'
import { identifyPage, linkAccountPage, oauthPage } from './identify.ts'
import { newPasswordPage } from './new-password.ts'
import { otpPage, recoveryCodePage, selectChannelPage } from './one-time-code.ts'
import { profilePage } from './profile.ts'
import { recoveryCodesPage } from './recovery-codes.ts'
import { selectDestinationPage } from './select-destination.ts'
import type { StepPage } from './step-page.ts'
import type { StepSetting } from './step-setting.ts'
import { terminateOtherSessionsPage } from './terminate-other-sessions.ts'

/** The page for a state: its action in words for people. */
export function stepPageOf({ type: flow, action }: FlowState, setting: StepSetting): StepPage {
  const { data } = action
  switch (data.type) {
    case 'identification_data':
    case 'account_recovery_identification_data':
      return identifyPage(flow, data.options, setting)
    case 'account_linking_identification_data':
      return linkAccountPage(data.options, setting)
    case 'oauth_data':
      return oauthPage(data, setting)
    case 'authentication_data':
      return authenticatePage(data, setting)
    case 'create_authenticator_data':
      return createAuthenticatorPage(data.options)
    case 'create_totp_data':
      return createTotpPage(data)
    case 'create_passkey_data':
      return createPasskeyPage(data)
    case 'select_oob_otp_channels_data':
      return selectChannelPage(data.channels, data.masked_claim_value)
    case 'verify_oob_otp_data':
      return otpPage(data, setting.now)
    case 'view_recovery_code_data':
      return recoveryCodesPage(data.recovery_codes)
    case 'new_password_data':
      return newPasswordPage(data)
    case 'account_recovery_select_destination_data':
      return selectDestinationPage(data.options)
    case 'account_recovery_verify_code_data':
      return recoveryCodePage(data, setting.now)
  }
  switch (action.type) {
    case 'fill_in_user_profile':
      return profilePage(setting.profileFields)
    case 'terminate_other_sessions':
      return terminateOtherSessionsPage
  }
  return {
    title: 'This cannot be done here',
    text: `The service asks for a step that these pages do not know (${action.type}).`,
    forms: [],
    links: [['Start again', '/']],
  }
}
