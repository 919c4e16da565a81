import type { Flow, PromptName } from '@gatehouse/client'
import type { ComponentType, JSX } from 'preact'
import type { ScreenProps } from '../flow/step.ts'
import { SelectChannel, SelectDestination, VerifyOtp, VerifyRecoveryCode } from './codes.tsx'
import { CustomForm } from './custom.tsx'
import { Finished, KeepAccount, LeaveForProvider, TerminateSessions } from './ends.tsx'
import { Identify, LinkAccount, RecoveryIdentify } from './identify.tsx'
import { FillInProfile } from './profile.tsx'
import { Authenticate } from './prove.tsx'
import {
  ChangePassword,
  CreateAuthenticator,
  CreatePasskey,
  CreateTotp,
  ViewRecoveryCode,
} from './set-up.tsx'

/** The screen of each prompt. The compiler misses none. */
export const screens: { readonly [Name in PromptName]: ComponentType<ScreenProps<Name>> } = {
  identification_data: Identify,
  account_recovery_identification_data: RecoveryIdentify,
  account_linking_identification_data: LinkAccount,
  oauth_data: LeaveForProvider,
  authentication_data: Authenticate,
  create_authenticator_data: CreateAuthenticator,
  create_totp_data: CreateTotp,
  select_oob_otp_channels_data: SelectChannel,
  verify_oob_otp_data: VerifyOtp,
  view_recovery_code_data: ViewRecoveryCode,
  create_passkey_data: CreatePasskey,
  new_password_data: ChangePassword,
  account_recovery_select_destination_data: SelectDestination,
  account_recovery_verify_code_data: VerifyRecoveryCode,
  fill_in_user_profile: FillInProfile,
  check_account_status: KeepAccount,
  terminate_other_sessions: TerminateSessions,
  finished: Finished,
}

/** The screen of a flow: by its prompt, else that of a kind of the app's own. */
export function FlowScreen({ flow }: { readonly flow: Flow }): JSX.Element {
  const name: string = flow.prompt
  if (!Object.hasOwn(screens, name)) return <CustomForm name={name} input={{}} isAlone />
  const Screen = screens[flow.prompt] as ComponentType<{ flow: Flow }>
  return <Screen key={flow.token} flow={flow} />
}
