export { type AdvanceFlowParams, advanceFlow } from './advance-flow.ts'
export { approveLink } from './approve-link.ts'
export { type Attempt, attempt } from './attempt.ts'
export type { AuthenticationOption, Authenticator, OfferedOption } from './authenticator.ts'
export { type BcryptVerifierOptions, createBcryptVerifier } from './bcrypt-hash.ts'
export { closeAuth } from './close-auth.ts'
export { authCollections } from './collections.ts'
export type { AuthConfig } from './config.ts'
export type { AuthContext } from './context.ts'
export { formatSetCookie, type SetCookie } from './cookies.ts'
export { type AuthOptions, createAuth } from './create-auth.ts'
export { type CreateFlowParams, createFlow } from './create-flow.ts'
export { createUser, type NewUser } from './create-user.ts'
export { deleteUser } from './delete-user.ts'
export type { ShownState } from './engine.ts'
export { authError, invalidCredentials, type ValidationCause, validationFailed } from './errors.ts'
export { explainFlow } from './explain-flow.ts'
export type {
  AuthenticateBranch,
  Authentication,
  Channel,
  FlowDefinition,
  FlowType,
  Identification,
  IdentifyBranch,
  OtpForm,
  Step,
} from './flow-definition.ts'
export type { ApiError, FlowResult, FlowState, RequestContext } from './flow-result.ts'
export type {
  AuthorizationSession,
  Effect,
  EnteredStep,
  Fact,
  FlowNode,
  FlowSession,
  FlowSnapshot,
  MessageKind,
  OtpPurpose,
  OtpRequest,
} from './flow-state.ts'
export type {
  FlowInput,
  FlowView,
  NodeHandler,
  Reaction,
  RequestFacts,
  ShownAction,
  StepHandler,
} from './flow-view.ts'
export { getFlowState } from './get-flow-state.ts'
export { getUser, type UserDetails } from './get-user.ts'
export type {
  IdentificationKind,
  IdentificationOption,
  Identifying,
  IncomingIdentity,
} from './identification.ts'
export { type ImportedUser, type ImportOutcome, importUsers } from './import-users.ts'
export type { JsonSchema } from './json-schema.ts'
export { listSessions } from './list-sessions.ts'
export { getLockout, type Lockout, resetLockout } from './lockouts.ts'
export type { LoginIdLists } from './login-id-rules.ts'
export type {
  MessageName,
  MessageTexts,
  MessageTranslations,
} from './message-texts.ts'
export { combineHashers, type PasswordHasher, type PasswordVerifier } from './password-hasher.ts'
export type {
  AuthEvent,
  AuthorizationBridge,
  FlowOutcome,
  HookAnswer,
  OutgoingMessage,
  Sender,
  Senders,
} from './ports.ts'
export { type Asking, ask, type FlowQuestions } from './questions.ts'
export {
  type AuthConfigProblem,
  type AuthConfigSource,
  type DecodeAuthConfigOptions,
  decodeAuthConfig,
  type ReadAuthConfigOptions,
  readAuthConfig,
} from './read-auth-config.ts'
export type {
  Account,
  Attributes,
  AuthenticatorRecord,
  ClaimName,
  Identified,
  IdentityRecord,
  UserRecord,
  VerifiedClaimRecord,
} from './records.ts'
export {
  type ResolveSessionOptions,
  resolveSession,
  resolveSessionToken,
  type SessionRequest,
} from './resolve-session.ts'
export {
  logout,
  type RevokeAllSessionsOptions,
  revokeAllSessions,
  revokeSession,
} from './revoke-session.ts'
export { createScryptHasher, type ScryptHasherOptions } from './scrypt-hasher.ts'
export type { SecretKey } from './secret-box.ts'
export type { Session } from './session.ts'
export { type SetPasswordOptions, setPassword } from './set-password.ts'
export { type RunningAuth, startAuth } from './start-auth.ts'
export { updateAuthConfig } from './update-auth-config.ts'
export {
  type DisableUserOptions,
  disableUser,
  enableUser,
  type UserChanges,
  updateUser,
} from './update-user.ts'
