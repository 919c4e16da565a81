import { invalidInput } from '../input/refusal.ts'
import type { Authenticator } from './flow/authenticator.ts'
import type { IdentificationKind } from './flow/identification.ts'
import type { FlowKinds } from './flow/kinds.ts'
import type { FlowView, NodeHandler, StepHandler } from './flow/view.ts'
import { deviceTokenAuthenticator } from './kinds/device-token/authenticator.ts'
import { idTokenIdentification } from './kinds/id-token/identification.ts'
import { createLdapIdentification } from './kinds/ldap/identification.ts'
import { createLoginIdIdentification } from './kinds/login-id/identification.ts'
import { createOAuthIdentification } from './kinds/oauth/identification.ts'
import { createOobOtpAuthenticator } from './kinds/oob-otp/authenticator.ts'
import { otpNodes } from './kinds/oob-otp/otp-prompt.ts'
import { verifyStep } from './kinds/oob-otp/verify.ts'
import { passkeyAuthenticator } from './kinds/passkey/authenticator.ts'
import { passkeyIdentification } from './kinds/passkey/identification.ts'
import {
  promptCreatePasskeyNode,
  promptCreatePasskeyStep,
} from './kinds/passkey/prompt-create-passkey.ts'
import { createPasswordAuthenticator } from './kinds/password/authenticator.ts'
import { changePasswordNode, changePasswordStep } from './kinds/password/change-password.ts'
import { recoveryCodeAuthenticator } from './kinds/recovery-code/authenticator.ts'
import { recoveryCodeSteps } from './kinds/recovery-code/recovery-code-steps.ts'
import {
  viewRecoveryCodeNode,
  viewRecoveryCodeStep,
} from './kinds/recovery-code/view-recovery-code.ts'
import { selectAccountIdentification } from './kinds/select-account/identification.ts'
import { totpAuthenticator } from './kinds/totp/authenticator.ts'
import { createLinkingNode } from './linking/linking-prompt.ts'
import type { LoginIdRules, LoginIdType } from './login-ids/login-id.ts'
import type { PhoneNumbers } from './login-ids/phone.ts'
import { resetPasswordNode, resetPasswordStep } from './recovery/reset-password.ts'
import { selectDestinationNode, selectDestinationStep } from './recovery/select-destination.ts'
import {
  verifyRecoveryCodeNode,
  verifyRecoveryCodeStep,
} from './recovery/verify-account-recovery-code.ts'
import { createAuthenticate } from './steps/authenticate.ts'
import { checkAccountStatusNode, checkAccountStatusStep } from './steps/check-account-status.ts'
import { createCreateAuthenticator } from './steps/create-authenticator.ts'
import { createFillInUserProfile } from './steps/fill-in-user-profile.ts'
import { createIdentify } from './steps/identify.ts'
import { createLinkIdentity } from './steps/link-identity.ts'
import {
  terminateOtherSessionsNode,
  terminateOtherSessionsStep,
} from './steps/terminate-other-sessions.ts'
import { trustingPrompt } from './steps/trusted-device.ts'

/** Options of {@link createFlowKinds}. */
export interface FlowKindsOptions {
  /** The rules for login IDs. */
  rulesOf: (view: FlowView) => LoginIdRules
  phoneNumbers: PhoneNumbers
  /** Whether the host can verify ID tokens. */
  hasIdTokens: boolean
  /** More kinds of identification; one with the name of another replaces it (default none). */
  identifications?: readonly IdentificationKind[]
  /** More kinds of authenticator; one with the name of another replaces it (default none). */
  authenticators?: readonly Authenticator[]
}

/**
 * Creates the parts of flows: all built-in kinds, and those passed in.
 *
 * @throws {GatehouseError} `InvalidInput` if two kinds use one name for different prompts or different ports.
 */
export function createFlowKinds(options: FlowKindsOptions): FlowKinds {
  const identifications = new Map(
    [...builtInIdentifications(options), ...(options.identifications ?? [])].map((kind) => [
      kind.identification,
      kind,
    ]),
  )
  const known = builtIn(options)
  const authenticators = new Map(
    [...known, ...(options.authenticators ?? [])].map((kind) => [kind.authentication, kind]),
  )
  const parts: readonly StepParts[] = [
    ...plainParts,
    createAuthenticate(authenticators) as StepParts,
    createCreateAuthenticator(authenticators) as StepParts,
    createFillInUserProfile(options.phoneNumbers) as StepParts,
    { step: createLinkIdentity(identifications) as StepHandler },
  ]
  // Several kinds may share one prompt.
  const prompts = new Set([...authenticators.values()].flatMap((kind) => kind.nodes ?? []))
  const identify = createIdentify(identifications)
  const nodes = [
    ...otpNodes,
    ...identify.nodes,
    createLinkingNode(identifications) as NodeHandler,
    ...parts.flatMap(({ node }) => node ?? []),
    ...[...prompts].map(trustingPrompt),
  ]
  const steps = [identify.step as StepHandler, ...parts.map(({ step }) => step)]
  const all = [...identifications.values(), ...authenticators.values()]
  return {
    steps: new Map(steps.map((step) => [step.type, step])),
    nodes: byName(
      'prompt',
      nodes.map((node) => [node.kind, node]),
    ),
    identifications,
    authenticators,
    ports: byName(
      'port',
      all.flatMap(({ ports = {} }) => Object.entries(ports)),
    ),
    listedFactors: new Set(
      known.filter(({ kind }) => kind === 'secondary').map((one) => one.authentication),
    ),
    afterSecondFactor: recoveryCodeSteps,
  }
}

/** Parts by name. Several kinds may share a part, but not a name. */
function byName<Part>(
  what: string,
  named: readonly (readonly [string, Part])[],
): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  for (const [name, part] of named) {
    if ((parts.get(name) ?? part) !== part) {
      throw invalidInput('options', `one ${what} with the name "${name}"`, 'two')
    }
    parts.set(name, part)
  }
  return parts
}

/** A step and its prompt, if it has one. */
interface StepParts {
  readonly step: StepHandler
  readonly node?: NodeHandler
}

function builtInIdentifications({
  rulesOf,
  hasIdTokens,
}: FlowKindsOptions): readonly IdentificationKind[] {
  const types: readonly LoginIdType[] = ['email', 'phone', 'username']
  return [
    ...types.map((type) => createLoginIdIdentification(type, rulesOf)),
    createOAuthIdentification(rulesOf),
    createLdapIdentification(rulesOf),
    passkeyIdentification,
    selectAccountIdentification,
    ...(hasIdTokens ? [idTokenIdentification] : []),
  ]
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
    passkeyAuthenticator,
    recoveryCodeAuthenticator,
    deviceTokenAuthenticator,
  ]
}

const plainParts = [
  { step: verifyStep },
  { step: changePasswordStep, node: changePasswordNode },
  { step: viewRecoveryCodeStep, node: viewRecoveryCodeNode },
  { step: promptCreatePasskeyStep, node: promptCreatePasskeyNode },
  { step: checkAccountStatusStep, node: checkAccountStatusNode },
  { step: terminateOtherSessionsStep, node: terminateOtherSessionsNode },
  { step: selectDestinationStep, node: selectDestinationNode },
  { step: verifyRecoveryCodeStep, node: verifyRecoveryCodeNode },
  { step: resetPasswordStep, node: resetPasswordNode },
] as readonly unknown[] as readonly StepParts[]
