export { needAccount } from './account.ts'
export type {
  AccountChangeName,
  AccountChanges,
  AccountFlowChange,
} from './account-api/account-change.ts'
export type { AccountHolder } from './account-api/account-holder.ts'
export type { AvailableChanges } from './account-api/available-changes.ts'
export { type AccountFlowRequest, beginAccountFlow } from './account-api/begin-account-flow.ts'
export { getAccount, type OwnAccount } from './account-api/get-account.ts'
export {
  listOwnSessions,
  type OwnSession,
  revokeOtherSessions,
  revokeOwnSession,
} from './account-api/own-sessions.ts'
export type { ProfileAccess } from './account-api/profile-access.ts'
export { removeAuthenticator } from './account-api/remove-authenticator.ts'
export { type RemovalOptions, removeIdentity } from './account-api/remove-identity.ts'
export { revokeDeviceTokens } from './account-api/revoke-device-tokens.ts'
export { type UpdateProfileOptions, updateProfile } from './account-api/update-profile.ts'
export { type AccountRoutesOptions, accountRoutes } from './account-routes.ts'
export { addAuthenticator, type NewAuthenticator } from './add-authenticator.ts'
export {
  type AddIdentityOptions,
  addIdentity,
  type NewCustomIdentity,
  type NewIdentity,
  type NewLoginId,
  type NewOAuthIdentity,
} from './add-identity.ts'
export { type AddRecoveryCodesOptions, addRecoveryCodes } from './add-recovery-codes.ts'
export { type AdvanceFlowParams, advanceFlow } from './advance-flow.ts'
export { anonymizeUser } from './anonymize-user.ts'
export { approveLink } from './approve-link.ts'
export { type Attempt, attempt, isUsed } from './attempt.ts'
export type { AuthenticationOption, Authenticator, OfferedOption } from './authenticator.ts'
export { type BcryptVerifierOptions, createBcryptVerifier } from './bcrypt-hash.ts'
export { type AttemptKind, attemptBuckets } from './buckets.ts'
export { closeAuth } from './close-auth.ts'
export { authCollections } from './collections.ts'
export type { AuthConfig } from './config.ts'
export type { AuthContext } from './context.ts'
export { formatSetCookie, type SetCookie } from './cookies.ts'
export { type AnonymousUser, createAnonymousUser } from './create-anonymous-user.ts'
export { type AuthOptions, createAuth } from './create-auth.ts'
export { type CreateFlowParams, createFlow } from './create-flow.ts'
export { type CreateSessionOptions, createSession, type OpenedSession } from './create-session.ts'
export { createUser, type NewUser } from './create-user.ts'
export { deleteUser } from './delete-user.ts'
export type { ShownState } from './engine.ts'
export { authError, invalidCredentials, type ValidationCause, validationFailed } from './errors.ts'
export {
  type SignedEvent,
  type VerifyEventSignatureOptions,
  verifyEventSignature,
} from './event-signature.ts'
export {
  createEventWebhook,
  createHookWebhook,
  type EventWebhookOptions,
} from './event-webhook.ts'
export { explainFlow } from './explain-flow.ts'
export type {
  AuthenticateBranch,
  Authentication,
  Channel,
  DeclaredFlowType,
  EnteredStep,
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
  FlowMemory,
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
  IdentificationPrompt,
  Identifying,
  SignInWay,
} from './identification.ts'
export { keyOfIdentity } from './identities.ts'
export { type ImportedUser, type ImportOutcome, importUsers } from './import-users.ts'
export type { IncomingIdentity } from './incoming-identity.ts'
export type { JsonSchema } from './json-schema.ts'
export type { OwnLinkingRule } from './linking-rules.ts'
export { type ListedAuthenticator, listAuthenticators } from './list-authenticators.ts'
export { type ListedIdentity, listIdentities } from './list-identities.ts'
export { listSessions } from './list-sessions.ts'
export { getLockout, type Lockout, resetLockout } from './lockouts.ts'
export type { LoginIdLists } from './login-id-rules.ts'
export type {
  MessageName,
  MessageTexts,
  MessageTranslations,
} from './message-texts.ts'
export type {
  OAuthAuthorization,
  OAuthClient,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from './oauth-client.ts'
export type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'
export type { PostFetch, PostFetchAnswer } from './outgoing-post.ts'
export { combineHashers, type PasswordHasher, type PasswordVerifier } from './password-hasher.ts'
export type { PortAnswers, PortRun } from './port-answers.ts'
export type {
  AuthEvent,
  AuthEventContext,
  AuthorizationBridge,
  BotVerifier,
  FlowOutcome,
  GeoIp,
  Hook,
  HookAnswer,
  IdTokenVerifier,
  OutgoingMessage,
  PromotionVerifier,
  Sender,
  Senders,
} from './ports.ts'
export { type Asking, ask, type BucketUse, type FlowQuestions } from './questions.ts'
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
  CustomAuthenticator,
  CustomIdentity,
  Identified,
  IdentityRecord,
  UserRecord,
  VerifiedClaimRecord,
} from './records.ts'
export { type RequireFreshOptions, requireFresh } from './require-fresh.ts'
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
export {
  createRecaptchaVerifier,
  createTurnstileVerifier,
  type SiteverifyOptions,
} from './siteverify.ts'
export { type RunningAuth, startAuth } from './start-auth.ts'
export { updateAuthConfig } from './update-auth-config.ts'
export {
  type DisableUserOptions,
  disableUser,
  enableUser,
  type UserChanges,
  updateUser,
} from './update-user.ts'
export type { AttributeChange, UserProfile } from './user-profile.ts'
