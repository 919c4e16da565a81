// The whole authentication flow service.

export { type Running, stopAll } from '../async/running.ts'
export type { HistoryPage, HistoryQuery } from '../history/history-query.ts'
export type { RecordView, ViewColumn, ViewColumnType } from '../storage/record-view.ts'
export type { TransactionStorage } from '../storage/transaction-storage.ts'
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
export { authViews } from './accounts/auth-views.ts'
export { keyOfIdentity } from './accounts/identities.ts'
export type { IncomingIdentity } from './accounts/incoming-identity.ts'
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
} from './accounts/records.ts'
export type { AttributeChange, UserProfile } from './accounts/user-profile.ts'
export { type AdvanceFlowParams, advanceFlow } from './advance-flow.ts'
export type { ApiError } from './api-error.ts'
export type { AuthOptions } from './auth-options.ts'
export { closeAuth } from './close-auth.ts'
export { authCollections } from './collections.ts'
export { type ProvidedPorts, portWarnings } from './config/checks/port-warnings.ts'
export type { LoadedAuthConfig } from './config/config.ts'
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
} from './config/flow-definition.ts'
export {
  type AuthConfigProblem,
  type AuthConfigSource,
  type DecodeAuthConfigOptions,
  decodeAuthConfig,
  type ReadAuthConfigOptions,
  readAuthConfig,
} from './config/read-auth-config.ts'
export type { AuthConfig, AuthFlowName, AuthFlows } from './config/written/auth-config.generated.ts'
export type { AuthContext } from './context.ts'
export { formatSetCookie, type SetCookie } from './cookies.ts'
export { createAuth } from './create-auth.ts'
export { type CreateFlowParams, createFlow } from './create-flow.ts'
export { authError, invalidCredentials, type ValidationCause, validationFailed } from './errors.ts'
export type { AuditRecord } from './events/audit-record.ts'
export {
  type SignedEvent,
  type VerifyEventSignatureOptions,
  verifyEventSignature,
} from './events/event-signature.ts'
export {
  createEventWebhook,
  createHookWebhook,
  type EventWebhookOptions,
} from './events/event-webhook.ts'
export {
  type AuditedEvent,
  type AuthEventQuery,
  listAuthEvents,
} from './events/list-auth-events.ts'
export type { PostFetch, PostFetchAnswer } from './events/outgoing-post.ts'
export { startEvents } from './events/start-events.ts'
export { needAccount } from './flow/account.ts'
export type { Asking } from './flow/asking.ts'
export type { AuthenticationOption, Authenticator, OfferedOption } from './flow/authenticator.ts'
export type { ShownState } from './flow/engine.ts'
export { explainFlow } from './flow/generated/explain-flow.ts'
export type {
  IdentificationKind,
  IdentificationOption,
  IdentificationPrompt,
  Identifying,
  OwnLinkingRule,
  SignInWay,
} from './flow/identification.ts'
export type { PortAnswers, PortRun } from './flow/port-answers.ts'
export type { Session } from './flow/session/session.ts'
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
} from './flow/state.ts'
export type {
  FlowInput,
  FlowMemory,
  FlowView,
  NodeHandler,
  Reaction,
  RequestFacts,
  ShownAction,
  StepHandler,
} from './flow/view.ts'
export type { FlowResult, FlowState, RequestContext } from './flow-result.ts'
export { getFlowState } from './get-flow-state.ts'
export { type AccountRoutesOptions, accountRoutes } from './http/account-routes.ts'
export { userRoutes } from './http/user-routes.ts'
export type { LoginIdLists } from './kinds/login-id/login-id-rules.ts'
export { approveLink } from './kinds/oob-otp/approve-link.ts'
export type {
  MessageName,
  MessageTexts,
  MessageTranslations,
} from './kinds/oob-otp/message-texts.ts'
export { type Argon2VerifierOptions, createArgon2Verifier } from './kinds/password/argon2-hash.ts'
export { type BcryptVerifierOptions, createBcryptVerifier } from './kinds/password/bcrypt-hash.ts'
export { type BcryptVerify, loadBcryptVerify } from './kinds/password/load-hash-verify.ts'
export { passwordForms } from './kinds/password/password-forms.ts'
export {
  combineHashers,
  type PasswordHasher,
  type PasswordVerifier,
} from './kinds/password/password-hasher.ts'
export { createPbkdf2Verifier, type Pbkdf2VerifierOptions } from './kinds/password/pbkdf2-hash.ts'
export { createScryptHasher, type ScryptHasherOptions } from './kinds/password/scrypt-hasher.ts'
export { type Attempt, attempt, isUsed } from './limits/attempt.ts'
export { type AttemptKind, attemptBuckets } from './limits/buckets.ts'
export type { BucketUse } from './limits/limit-questions.ts'
export { getLockout, type Lockout, resetLockout } from './limits/lockouts.ts'
export {
  createRecaptchaVerifier,
  createTurnstileVerifier,
  type SiteverifyOptions,
} from './limits/siteverify.ts'
export type {
  OAuthAuthorization,
  OAuthClient,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from './oauth-client/oauth-client.ts'
export type { OAuthProviderConfig, OAuthProviderType } from './oauth-client/oauth-provider.ts'
export type {
  AuthEvent,
  AuthEventContext,
  AuthorizationBridge,
  BotVerifier,
  EventRecord,
  EventUser,
  FlowOutcome,
  GeoIp,
  Hook,
  HookAnswer,
  HookEvent,
  IdTokenUser,
  IdTokenVerifier,
  OutgoingMessage,
  PromotionVerifier,
  Sender,
  Senders,
} from './ports.ts'
export { ask, type FlowQuestions } from './questions.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export type { SecretKey } from './secrets/secret-box.ts'
export {
  type CreateSessionOptions,
  createSession,
  type OpenedSession,
} from './sessions/create-session.ts'
export { listSessions } from './sessions/list-sessions.ts'
export { type RequireFreshOptions, requireFresh } from './sessions/require-fresh.ts'
export {
  type ResolveSessionOptions,
  resolveSession,
  resolveSessionToken,
  type SessionRequest,
} from './sessions/resolve-session.ts'
export {
  logout,
  type RevokeAllSessionsOptions,
  revokeAllSessions,
  revokeSession,
} from './sessions/revoke-session.ts'
export { type StartAuthOptions, startAuth } from './start-auth.ts'
export { updateAuthConfig } from './update-auth-config.ts'
export { getUserAccount, type UserAccount, type UserSession } from './user-api/get-user-account.ts'
export { revokeUserSession, revokeUserSessions } from './user-api/revoke-user-sessions.ts'
export { searchUsers } from './user-api/search-users.ts'
export { addAuthenticator, type NewAuthenticator } from './users/add-authenticator.ts'
export { type AddIdentityOptions, addIdentity } from './users/add-identity.ts'
export { type AddRecoveryCodesOptions, addRecoveryCodes } from './users/add-recovery-codes.ts'
export { anonymizeUser } from './users/anonymize-user.ts'
export { type AnonymousUser, createAnonymousUser } from './users/create-anonymous-user.ts'
export { createUser, type NewUser } from './users/create-user.ts'
export { deleteUser } from './users/delete-user.ts'
export { findUsers, type UserQuery } from './users/find-users.ts'
export { getUser, type UserDetails } from './users/get-user.ts'
export { type ImportOutcome, importUsers } from './users/import-users.ts'
export type { ImportedPasskey, ImportedPassword, ImportedUser } from './users/imported-user.ts'
export { type ListedAuthenticator, listAuthenticators } from './users/list-authenticators.ts'
export { type ListedIdentity, listIdentities } from './users/list-identities.ts'
export { listUsers, type UserListQuery, type UserPage } from './users/list-users.ts'
export type {
  ImportedIdentity,
  NewCustomIdentity,
  NewIdentity,
  NewLoginId,
  NewOAuthIdentity,
} from './users/read-identity.ts'
export { type SetPasswordOptions, setPassword } from './users/set-password.ts'
export {
  type EndedUsers,
  endDueUsers,
  startUserMaintenance,
  type UserMaintenanceOptions,
} from './users/start-user-maintenance.ts'
export {
  type DisableUserOptions,
  disableUser,
  enableUser,
  type UserChanges,
  updateUser,
} from './users/update-user.ts'
export type {
  AuthenticateAction,
  AuthenticateOption,
  ChangePasswordAction,
  CodeOption,
  CreateAuthenticatorAction,
  CreateAuthenticatorOption,
  CreateOobOtpOption,
  CreatePasskeyAction,
  CreatePasswordOption,
  CreateTotpAction,
  CreateTotpOption,
  FillInProfileAction,
  FinishedAction,
  FlowAction,
  IdentifyAction,
  IdentifyOption,
  IdTokenOption,
  LdapOption,
  LinkAccountAction,
  LinkAccountOption,
  LoginIdOption,
  OobOtpOption,
  PasskeyAuthenticationOption,
  PasskeyOption,
  PasswordOption,
  PlainLinkingOption,
  ProviderAction,
  ProviderLinkingOption,
  ProviderOption,
  RecoveryIdentifyAction,
  ResetPasswordAction,
  SelectAccountOption,
  SelectChannelAction,
  SelectDestinationAction,
  TerminateOtherSessionsAction,
  VerifyOtpAction,
  VerifyRecoveryCodeAction,
  ViewRecoveryCodeAction,
} from './wire/types.generated.ts'
export { withStorage } from './with-storage.ts'
