import type { Authenticator } from './authenticator.ts'
import { deviceTokenAuthenticator } from './authenticators/device-token.ts'
import { createOobOtpAuthenticator } from './authenticators/oob-otp.ts'
import { createPasswordAuthenticator } from './authenticators/password.ts'
import { recoveryCodeAuthenticator } from './authenticators/recovery-code.ts'
import { totpAuthenticator } from './authenticators/totp.ts'
import type { FlowKinds } from './flow-kinds.ts'
import type { FlowView, NodeHandler, StepHandler } from './flow-view.ts'
import type { IdentificationKind } from './identification.ts'
import { createLoginIdIdentification } from './identifications/login-id.ts'
import type { LoginIdRules, LoginIdType } from './login-id.ts'
import { otpNodes } from './otp-prompt.ts'
import type { PhoneNumbers } from './phone.ts'
import { createAuthenticate } from './steps/authenticate.ts'
import { changePasswordNode, changePasswordStep } from './steps/change-password.ts'
import { checkAccountStatusStep } from './steps/check-account-status.ts'
import { createCreateAuthenticator } from './steps/create-authenticator.ts'
import { createFillInUserProfile } from './steps/fill-in-user-profile.ts'
import { createIdentify } from './steps/identify.ts'
import { resetPasswordNode, resetPasswordStep } from './steps/reset-password.ts'
import { selectDestinationNode, selectDestinationStep } from './steps/select-destination.ts'
import {
  terminateOtherSessionsNode,
  terminateOtherSessionsStep,
} from './steps/terminate-other-sessions.ts'
import { verifyStep } from './steps/verify.ts'
import {
  verifyRecoveryCodeNode,
  verifyRecoveryCodeStep,
} from './steps/verify-account-recovery-code.ts'
import { viewRecoveryCodeNode, viewRecoveryCodeStep } from './steps/view-recovery-code.ts'

/** Options of {@link createFlowKinds}. */
export interface FlowKindsOptions {
  /** What login IDs must be like. */
  rulesOf: (view: FlowView) => LoginIdRules
  phoneNumbers: PhoneNumbers
  /** More ways to say who one is, or others of the same name (default none). */
  identifications?: readonly IdentificationKind[]
  /** More ways to show it, or others of the same name (default none). */
  authenticators?: readonly Authenticator[]
}

/** What flows are made of: all that is built in, and what is passed in. */
export function createFlowKinds(options: FlowKindsOptions): FlowKinds {
  const identifications = new Map(
    [...loginIds(options), ...(options.identifications ?? [])].map((kind) => [
      kind.identification,
      kind,
    ]),
  )
  const authenticators = new Map(
    [...builtIn(options), ...(options.authenticators ?? [])].map((kind) => [
      kind.authentication,
      kind,
    ]),
  )
  const parts: readonly StepParts[] = [
    ...plainParts,
    createIdentify(identifications) as StepParts,
    createAuthenticate(authenticators) as StepParts,
    createCreateAuthenticator(authenticators) as StepParts,
    createFillInUserProfile(options.phoneNumbers) as StepParts,
  ]
  const nodes = [
    ...otpNodes,
    ...parts.flatMap(({ node }) => node ?? []),
    ...[...identifications.values(), ...authenticators.values()].flatMap(
      (kind) => kind.nodes ?? [],
    ),
  ]
  return {
    steps: new Map(parts.map(({ step }) => [step.type, step])),
    nodes: new Map(nodes.map((node) => [node.kind, node])),
    identifications,
    authenticators,
  }
}

/** A step and its prompt, if it has one. */
interface StepParts {
  readonly step: StepHandler
  readonly node?: NodeHandler
}

function loginIds({ rulesOf }: FlowKindsOptions): readonly IdentificationKind[] {
  const types: readonly LoginIdType[] = ['email', 'phone', 'username']
  return types.map((type) => createLoginIdIdentification(type, rulesOf))
}

function builtIn({ rulesOf }: FlowKindsOptions): readonly Authenticator[] {
  return [
    createPasswordAuthenticator('primary'),
    createPasswordAuthenticator('secondary'),
    createOobOtpAuthenticator('primary', 'email', rulesOf),
    createOobOtpAuthenticator('primary', 'sms', rulesOf),
    createOobOtpAuthenticator('secondary', 'email', rulesOf),
    createOobOtpAuthenticator('secondary', 'sms', rulesOf),
    totpAuthenticator,
    recoveryCodeAuthenticator,
    deviceTokenAuthenticator,
  ]
}

const plainParts = [
  { step: verifyStep },
  { step: changePasswordStep, node: changePasswordNode },
  { step: viewRecoveryCodeStep, node: viewRecoveryCodeNode },
  { step: checkAccountStatusStep },
  { step: terminateOtherSessionsStep, node: terminateOtherSessionsNode },
  { step: selectDestinationStep, node: selectDestinationNode },
  { step: verifyRecoveryCodeStep, node: verifyRecoveryCodeNode },
  { step: resetPasswordStep, node: resetPasswordNode },
] as readonly unknown[] as readonly StepParts[]
