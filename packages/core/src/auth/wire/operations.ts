/** The operations of flows and tokens by id: the method, and the path below the base path. */
export const flowOperations = {
  createFlow: 'POST /api/v1/authentication_flows',
  advanceFlow: 'POST /api/v1/authentication_flows/states/input',
  getFlowState: 'POST /api/v1/authentication_flows/states',
  approveLink: 'POST /api/v1/authentication_flows/links/approve',
  followApproval: 'GET /api/v1/authentication_flows/ws',
  requestTokens: 'POST /api/v1/tokens',
  revokeTokens: 'POST /api/v1/tokens/revoke',
  getJwks: 'GET /.well-known/jwks.json',
} as const

/** The operations of the user's own account. An app may mount them at another path than `/api/v1/account`. */
export const accountOperations = {
  getAccount: 'GET /api/v1/account',
  listActivity: 'GET /api/v1/account/activity',
  exportAccount: 'GET /api/v1/account/export',
  scheduleDeletion: 'POST /api/v1/account/deletion',
  beginAccountFlow: 'POST /api/v1/account/flows',
  removeIdentity: 'DELETE /api/v1/account/identities/:id',
  removeAuthenticator: 'DELETE /api/v1/account/authenticators/:id',
  updateProfile: 'PATCH /api/v1/account/profile',
  revokeOwnSession: 'DELETE /api/v1/account/sessions/:id',
  revokeOtherSessions: 'POST /api/v1/account/sessions/revoke-others',
  listOwnApiKeys: 'GET /api/v1/account/api-keys',
  createOwnApiKey: 'POST /api/v1/account/api-keys',
  revokeOwnApiKey: 'DELETE /api/v1/account/api-keys/:id',
  listOwnApps: 'GET /api/v1/account/apps',
  revokeOwnApp: 'DELETE /api/v1/account/apps/:id',
  revokeDeviceTokens: 'POST /api/v1/account/device-tokens/revoke',
  signOut: 'POST /api/v1/account/sign-out',
} as const

/** The operations for operators who manage users. */
export const userOperations = {
  getUsers: 'GET /gatehouse/v1/users',
  createUser: 'POST /gatehouse/v1/users',
  importUsers: 'POST /gatehouse/v1/users/import',
  getUser: 'GET /gatehouse/v1/users/:id',
  deleteUser: 'DELETE /gatehouse/v1/users/:id',
  disableUser: 'POST /gatehouse/v1/users/:id/disable',
  enableUser: 'POST /gatehouse/v1/users/:id/enable',
  getUserEvents: 'GET /gatehouse/v1/users/:id/events',
  resetLockout: 'DELETE /gatehouse/v1/users/:id/lockout',
  revokeUserSessions: 'DELETE /gatehouse/v1/users/:id/sessions',
  revokeUserSession: 'DELETE /gatehouse/v1/users/:id/sessions/:session',
  getUserApps: 'GET /gatehouse/v1/users/:id/apps',
  revokeUserApp: 'DELETE /gatehouse/v1/users/:id/apps/:app',
  impersonateUser: 'POST /gatehouse/v1/users/:id/impersonate',
  getInvitations: 'GET /gatehouse/v1/invitations',
  createInvitation: 'POST /gatehouse/v1/invitations',
  revokeInvitation: 'DELETE /gatehouse/v1/invitations/:id',
  resendInvitation: 'POST /gatehouse/v1/invitations/:id/resend',
  getApiKeys: 'GET /gatehouse/v1/api-keys',
  createApiKey: 'POST /gatehouse/v1/api-keys',
  revokeApiKey: 'DELETE /gatehouse/v1/api-keys/:id',
} as const

/** All operations of the sign-in service. */
export const authOperations: typeof flowOperations &
  typeof accountOperations &
  typeof userOperations = { ...flowOperations, ...accountOperations, ...userOperations }

/** The id of an operation. */
export type FlowOperation = keyof typeof flowOperations
export type AccountOperation = keyof typeof accountOperations
export type UserOperation = keyof typeof userOperations
export type AuthOperation = keyof typeof authOperations
