// The whole authentication flow service.

export { type Running, stopAll } from '../async/running.ts'
export type { HistoryPage, HistoryQuery } from '../history/history-query.ts'
export type { RecordView, ViewColumn, ViewColumnType } from '../storage/record-view.ts'
export type { TransactionStorage } from '../storage/transaction-storage.ts'
export {
  type AdmitTokenOptions,
  admitToken,
  type TokenAdmission,
} from './access-tokens/admit-token.ts'
export {
  createTokenVerifier,
  type TokenVerifierOptions,
} from './access-tokens/create-token-verifier.ts'
export {
  type ProtectedResourceOptions,
  protectedResourceRoutes,
} from './access-tokens/protected-resource-routes.ts'
export type { TokenRefusal, TokenRefusalReason } from './access-tokens/token-refusal.ts'
export type { TokenRequest } from './access-tokens/token-request.ts'
export type {
  TokenCheck,
  TokenClaims,
  TokenDemands,
  TokenVerifier,
} from './access-tokens/token-verifier.ts'
export type { Account, Identified } from './accounts/account.ts'
export type { ApiKeyOwner } from './accounts/api-key-record.ts'
export { authViews } from './accounts/auth-views.ts'
export type { AuthenticatorRecord, CustomAuthenticator } from './accounts/authenticator-record.ts'
export { keyOfIdentity } from './accounts/identities.ts'
export type { ClaimName, CustomIdentity, IdentityRecord } from './accounts/identity-record.ts'
export type { IncomingIdentity } from './accounts/incoming-identity.ts'
export type { AttributeChange, UserProfile } from './accounts/user-profile.ts'
export type { Attributes, UserRecord } from './accounts/user-record.ts'
export type { VerifiedClaimRecord } from './accounts/verified-claim-record.ts'
export type { AuthOptions } from './auth-options.ts'
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
export { createAuth } from './create-auth.ts'
export { explainFlow } from './default-flows/explain-flow.ts'
export { authError, invalidCredentials, type ValidationCause, validationFailed } from './errors.ts'
export type { AuditRecord } from './events/audit-record.ts'
export type { AuthEvent, AuthEventContext } from './events/auth-event.ts'
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
export type { EventRecord, EventUser, Hook, HookEvent } from './events/hook.ts'
export { commitWithEvents, hostEvent } from './events/outbox.ts'
export type { PostFetch, PostFetchAnswer } from './events/outgoing-post.ts'
export type { GeoIp } from './events/place-of.ts'
export { needAccount } from './flow/account.ts'
export type { Asking } from './flow/asking.ts'
export type { AuthenticationOption, Authenticator, OfferedOption } from './flow/authenticator.ts'
export type { ShownState } from './flow/engine.ts'
export type { HookAnswer } from './flow/hooks/host-hook.ts'
export type {
  IdentificationKind,
  IdentificationOption,
  IdentificationPrompt,
  Identifying,
  OwnLinkingRule,
  SignInWay,
} from './flow/identification.ts'
export type { PortAnswers, PortRun } from './flow/port-answers.ts'
export type { AccessTokenSession } from './flow/session/access-token-session.ts'
export type { ApiKey, ApiKeySession } from './flow/session/api-key.ts'
export type {
  AppAccess,
  AppResource,
  AppsEnd,
  AppsToEnd,
  AuthorizationBridge,
  AuthorizedApp,
  AuthorizedApps,
  EndedSessions,
  FlowOutcome,
} from './flow/session/authorization-bridge.ts'
export type { Session } from './flow/session/session.ts'
export type {
  AuthorizationSession,
  Effect,
  EndedApps,
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
export { type AdvanceFlowParams, advanceFlow } from './flows/advance-flow.ts'
export type { ApiError } from './flows/api-error.ts'
export { approveLink } from './flows/approve-link.ts'
export { type CreateFlowParams, createFlow } from './flows/create-flow.ts'
export type { FlowResult, FlowState, RequestContext } from './flows/flow-result.ts'
export { getFlowState } from './flows/get-flow-state.ts'
export {
  type Admission,
  type AdmitAccessTokenOptions,
  type AdmitApiKeyOptions,
  type AdmitRequestOptions,
  type AdmittedRequest,
  admitRequest,
  type Refusal,
} from './http/admit-request.ts'
export type { Page, PageEmblem, PageLink, PagePart } from './http/page-answer.ts'
export { type PageView, pageViewOf } from './http/page-view.ts'
export {
  createRequestFrame,
  type FramedAnswer,
  type FramedRow,
  type TimedExchange,
} from './http/request-frame.ts'
export { returnAddress } from './http/return-address.ts'
export { shownPlace } from './http/shown-place.ts'
export { resendInvitation, revokeInvitation } from './invitations/change-invitation.ts'
export {
  type CreatedInvitation,
  createInvitation,
  type NewInvitation,
} from './invitations/create-invitation.ts'
export type { Invitation } from './invitations/invitation.ts'
export {
  type InvitationPage,
  type InvitationQuery,
  listInvitations,
} from './invitations/list-invitations.ts'
export type { IdTokenUser, IdTokenVerifier } from './kinds/id-token/id-token-verifier.ts'
export type { LoginIdLists } from './kinds/login-id/login-id-rules.ts'
export type { PromotionVerifier } from './kinds/login-id/promotion-verifier.ts'
export type { OutgoingMessage, Sender, Senders } from './kinds/oob-otp/senders.ts'
export { type Argon2VerifierOptions, createArgon2Verifier } from './kinds/password/argon2-hash.ts'
export { type BcryptVerifierOptions, createBcryptVerifier } from './kinds/password/bcrypt-hash.ts'
export {
  createLeakedPasswords,
  isRangeUrl,
  type LeakedPasswords,
  type LeakedPasswordsOptions,
  type RangeFetch,
} from './kinds/password/leaked-passwords.ts'
export { type BcryptVerify, loadBcryptVerify } from './kinds/password/load-hash-verify.ts'
export {
  combineHashers,
  type PasswordHasher,
  type PasswordVerifier,
} from './kinds/password/password-hasher.ts'
export { createPbkdf2Verifier, type Pbkdf2VerifierOptions } from './kinds/password/pbkdf2-hash.ts'
export { createScryptHasher, type ScryptHasherOptions } from './kinds/password/scrypt-hasher.ts'
export { type Attempt, attempt, isUsed } from './limits/attempt.ts'
export type { BotVerifier } from './limits/bot-verifier.ts'
export { type AttemptKind, attemptBuckets } from './limits/buckets.ts'
export { clientNetwork } from './limits/client-network.ts'
export type { BucketUse } from './limits/limit-questions.ts'
export { rateLimited, type Taken, takeTokens } from './limits/rate-limit.ts'
export {
  createRecaptchaVerifier,
  createTurnstileVerifier,
  type SiteverifyOptions,
} from './limits/siteverify.ts'
export type { Brand } from './messages/brand.ts'
export { messageNames } from './messages/built-in-messages.ts'
export { checkMessageTemplate } from './messages/message-templates.ts'
export type {
  MessageName,
  MessageTexts,
  MessageTranslations,
} from './messages/message-texts.ts'
export { isLanguageTag } from './messages/messages-input.ts'
export {
  type SampleMessage,
  type SampleOptions,
  sampleMessages,
} from './messages/sample-messages.ts'
export type { PageLanguage } from './messages/words/languages.ts'
export type {
  OAuthAuthorization,
  OAuthClient,
  OAuthProfile,
  OAuthProviderStatus,
  OAuthRedemption,
} from './oauth-client/oauth-client.ts'
export type { OAuthProviderConfig, OAuthProviderType } from './oauth-client/oauth-provider.ts'
export { getUserAccount, type UserAccount, type UserSession } from './operators/get-user-account.ts'
export { type Impersonation, impersonateUser } from './operators/impersonate-user.ts'
export type { SubjectOf } from './operators/impersonation-endpoint.ts'
export { revokeUserSession, revokeUserSessions } from './operators/revoke-user-sessions.ts'
export { searchUsers } from './operators/search-users.ts'
export { listUserApps, revokeUserApp } from './operators/user-apps.ts'
export { type UserRoutesOptions, userRoutes } from './operators/user-routes.ts'
export type {
  AccountChangeName,
  AccountChanges,
  AccountFlowChange,
} from './own-account/account-change.ts'
export type { AccountHolder } from './own-account/account-holder.ts'
export { type AccountRoutesOptions, accountRoutes } from './own-account/account-routes.ts'
export type { Activity, ActivityType } from './own-account/activity.ts'
export type { AvailableChanges } from './own-account/available-changes.ts'
export { type AccountFlowRequest, beginAccountFlow } from './own-account/begin-account-flow.ts'
export { type AccountExport, exportAccount } from './own-account/export-account.ts'
export { getAccount, type OwnAccount } from './own-account/get-account.ts'
export { type ActivityQuery, listActivity } from './own-account/list-activity.ts'
export {
  createOwnApiKey,
  listOwnApiKeys,
  type OwnApiKeyOptions,
  type OwnApiKeys,
  revokeOwnApiKey,
} from './own-account/own-api-keys.ts'
export { listOwnApps, revokeOwnApp } from './own-account/own-apps.ts'
export {
  listOwnSessions,
  type OwnSession,
  revokeOtherSessions,
  revokeOwnSession,
} from './own-account/own-sessions.ts'
export type { ProfileAccess } from './own-account/profile-access.ts'
export { removeAuthenticator } from './own-account/remove-authenticator.ts'
export { type RemovalOptions, removeIdentity } from './own-account/remove-identity.ts'
export { revokeDeviceTokens } from './own-account/revoke-device-tokens.ts'
export { type DeletionOptions, scheduleDeletion } from './own-account/schedule-deletion.ts'
export { type UpdateProfileOptions, updateProfile } from './own-account/update-profile.ts'
export { addAuthenticator, type NewAuthenticator } from './people/add-authenticator.ts'
export { type AddIdentityOptions, addIdentity } from './people/add-identity.ts'
export { type AddRecoveryCodesOptions, addRecoveryCodes } from './people/add-recovery-codes.ts'
export { anonymizeUser } from './people/anonymize-user.ts'
export { type AnonymousUser, createAnonymousUser } from './people/create-anonymous-user.ts'
export { createUser, type NewUser } from './people/create-user.ts'
export { deleteUser } from './people/delete-user.ts'
export { findUsers, type UserQuery } from './people/find-users.ts'
export { getUser, type UserDetails } from './people/get-user.ts'
export { type ImportOutcome, importUsers } from './people/import-users.ts'
export type { ImportedPasskey, ImportedPassword, ImportedUser } from './people/imported-user.ts'
export {
  type AuditedEvent,
  type AuthEventQuery,
  listAuthEvents,
} from './people/list-auth-events.ts'
export { type ListedAuthenticator, listAuthenticators } from './people/list-authenticators.ts'
export { type ListedIdentity, listIdentities } from './people/list-identities.ts'
export { listUsers, type UserListQuery, type UserPage } from './people/list-users.ts'
export { getLockout, type Lockout, resetLockout } from './people/lockouts.ts'
export type {
  ImportedIdentity,
  NewCustomIdentity,
  NewIdentity,
  NewLoginId,
  NewOAuthIdentity,
} from './people/read-identity.ts'
export { type SetPasswordOptions, setPassword } from './people/set-password.ts'
export {
  type EndedUsers,
  endDueUsers,
  startUserMaintenance,
  type UserMaintenanceOptions,
} from './people/start-user-maintenance.ts'
export {
  type DisableUserOptions,
  disableUser,
  enableUser,
  type UserChanges,
  updateUser,
} from './people/update-user.ts'
export { ask, type FlowQuestions } from './questions.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export { looksLikeApiKey } from './secrets/api-key.ts'
export type { SecretKey } from './secrets/secret-box.ts'
export { passwordForms } from './secrets/typed-password.ts'
export { formatSetCookie, type SetCookie } from './sessions/cookies.ts'
export {
  type CreateSessionOptions,
  createSession,
  type OpenedSession,
} from './sessions/create-session.ts'
export { getSession } from './sessions/get-session.ts'
export { listSessions } from './sessions/list-sessions.ts'
export { maySignIn } from './sessions/may-sign-in.ts'
export { type RequireFreshOptions, requireFresh } from './sessions/require-fresh.ts'
export type { AccessTokenOptions } from './sessions/resolve-access-token.ts'
export {
  type ResolveSessionOptions,
  type ResolveWithApiKeysOptions,
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
export { sessionGuard } from './sessions/session-guard.ts'
export {
  defineKeyRings,
  type KeyRing,
  type RingRules,
  type SigningAlgorithm,
} from './signing/key-ring.ts'
export {
  type ListedSigningKey,
  listKeyRing,
  privateJwks,
  rotateKeyRing,
} from './signing/signing-keys.ts'
export { closeAuth } from './start/close-auth.ts'
export { type StartAuthOptions, startAuth } from './start/start-auth.ts'
export { startEvents } from './start/start-events.ts'
export {
  type CreatedApiKey,
  createApiKey,
  type NewApiKey,
  type OwnedApiKey,
} from './tokens/create-api-key.ts'
export { issueTokens } from './tokens/issue-tokens.ts'
export {
  type ApiKeyPage,
  listApiKeys,
  listServiceApiKeys,
  revokeApiKey,
  type ServiceApiKeysQuery,
} from './tokens/list-api-keys.ts'
export { refreshTokens, revokeTokens } from './tokens/refresh-tokens.ts'
export {
  getJwks,
  listSigningKeys,
  type RotateSigningKeysOptions,
  rotateSigningKeys,
} from './tokens/rotate-signing-keys.ts'
export type { TokenSet } from './tokens/token-set.ts'
export { updateAuthConfig } from './update-auth-config.ts'
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
