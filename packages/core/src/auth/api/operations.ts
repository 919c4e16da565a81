import * as z from 'zod/mini'
import type { ApiAnswers, ApiInterface, ApiOperation } from '../../http/api/operation.ts'
import { type ApiSchema, described, namedObject, text } from '../../http/api/schema.ts'
import { type AuthOperation, authOperations } from '../wire/operations.ts'
import {
  account,
  accountChange,
  accountExport,
  accountProfile,
  activityPage,
  authorizedApps,
  scheduledDeletion,
  userApps,
} from './account.ts'
import {
  advanceFlowBody,
  approveLinkBody,
  createFlowBody,
  getFlowStateBody,
  newApiKeyBody,
  profileChangesBody,
  revokeTokensBody,
  tokenRequestBody,
} from './bodies.ts'
import { authFailure, usersFailure } from './errors.ts'
import { flowState } from './flow-actions.ts'
import {
  createdApiKey,
  createdOwnedApiKey,
  jwks,
  listedApiKeys,
  newApiKey,
  ownApiKeys,
  tokenSet,
} from './tokens.ts'
import {
  auditedEvents,
  createdUser,
  disabling,
  impersonated,
  impersonation,
  importedUsers,
  importOutcomes,
  invitation,
  invitationsPage,
  newInvitation,
  newUser,
  userAccount,
  usersPage,
} from './users.ts'

const result = (schema: ApiSchema): ApiSchema => z.object({ result: schema })

const refusals: ApiAnswers = {
  default: { description: 'A refusal. Its `code` is the status.', schema: authFailure },
}

const flowAnswers: ApiAnswers = {
  200: { description: 'The state that was reached.', schema: result(flowState) },
  ...refusals,
}

const done: ApiAnswers = {
  200: { description: 'Done.', schema: result(z.object({})) },
  ...refusals,
}

const counted = (counted: string): ApiAnswers => ({
  200: { description: counted, schema: result(z.object({ revoked: z.int() })) },
  ...refusals,
})

const ownRefusals: ApiAnswers = { default: { description: 'A refusal.', schema: usersFailure } }

const ownDone: ApiAnswers = { 200: { description: 'Done.' }, ...ownRefusals }

const ownCounted = (counted: string): ApiAnswers => ({
  200: { description: counted, schema: z.object({ revoked: z.int() }) },
  ...ownRefusals,
})

const query: z.ZodMiniObject = z.object({
  client_id: z.optional(text),
  x_ref: described(z.optional(text), 'The reference of an authorization request.'),
  state: z.optional(text),
  x_state: z.optional(text),
  ui_locales: z.optional(text),
  login_hint: z.optional(text),
  x_invitation: described(z.optional(text), 'Of a sign-up: the code of an invitation.'),
})

const ofPage = {
  limit: described(z.optional(z.int()), 'From 1 to 1,000 (default 100).'),
  after: described(z.optional(text), 'The `next` of the page before.'),
}

const wordsOfApps = 'The language of words, as `de` (default: that of the browser).'

const operations: Readonly<Record<AuthOperation, ApiOperation>> = {
  createFlow: {
    summary: 'Creates a flow. With inputs it may end in the same request.',
    query,
    body: createFlowBody,
    answers: flowAnswers,
  },
  advanceFlow: {
    summary: 'Feeds an input to a state. The answer has a new state.',
    body: advanceFlowBody,
    answers: flowAnswers,
  },
  getFlowState: {
    summary: 'Reads a state again. Changes nothing.',
    body: getFlowStateBody,
    answers: flowAnswers,
  },
  approveLink: {
    summary: 'Approves a link that was sent.',
    body: approveLinkBody,
    answers: {
      200: { description: 'Done.', schema: result(z.object({ approved: z.literal(true) })) },
      ...refusals,
    },
  },
  followApproval: {
    summary: 'Reports when a link is approved: by WebSocket, or as server-sent events.',
    query: z.object({ channel: described(text, 'As in `websocket_url`.') }),
    answers: {
      200: { description: 'A stream with one event.', types: ['text/event-stream'] },
      ...refusals,
    },
  },
  requestTokens: {
    summary: 'Tokens for a session, or new ones for a refresh token.',
    body: tokenRequestBody,
    answers: { 200: { description: 'The tokens.', schema: result(tokenSet) }, ...refusals },
  },
  revokeTokens: {
    summary: 'Ends the session of a refresh token.',
    body: revokeTokensBody,
    answers: done,
  },
  getJwks: {
    summary: 'The public keys that verify access tokens.',
    answers: { 200: { description: 'A JWK Set, as in RFC 7517.', schema: jwks }, ...refusals },
  },
  getAccount: {
    summary: 'The account of the signed-in user.',
    answers: { 200: { description: 'The account.', schema: result(account) }, ...refusals },
  },
  listActivity: {
    summary: 'What happened to the account, newest first.',
    query: namedObject('ActivityQuery', 'Which page.', ofPage),
    answers: { 200: { description: 'A page.', schema: result(activityPage) }, ...refusals },
  },
  exportAccount: {
    summary: 'What the service knows of the user, without secrets.',
    answers: { 200: { description: 'The data.', schema: result(accountExport) }, ...refusals },
  },
  scheduleDeletion: {
    summary: 'Deletes the account after a time to change one’s mind. All sessions end.',
    answers: {
      200: { description: 'When.', schema: result(scheduledDeletion) },
      ...refusals,
    },
  },
  beginAccountFlow: {
    summary: 'Begins a flow that changes the account.',
    body: accountChange,
    answers: flowAnswers,
  },
  removeIdentity: {
    summary: 'Removes an identity.',
    answers: done,
  },
  removeAuthenticator: {
    summary: 'Removes an authenticator.',
    answers: done,
  },
  updateProfile: {
    summary: 'Changes attributes of the user.',
    body: profileChangesBody,
    answers: {
      200: { description: 'The profile.', schema: result(accountProfile) },
      ...refusals,
    },
  },
  revokeOwnSession: {
    summary: 'Ends a session of the user.',
    answers: done,
  },
  revokeOtherSessions: {
    summary: 'Ends all sessions of the user but this one.',
    answers: counted('How many ended.'),
  },
  listOwnApiKeys: {
    summary: 'The API keys of the user, newest first.',
    answers: { 200: { description: 'The keys.', schema: result(ownApiKeys) }, ...refusals },
  },
  createOwnApiKey: {
    summary: 'Creates an API key of the user. The answer is the only one that has it.',
    body: newApiKeyBody,
    answers: { 200: { description: 'The key.', schema: result(createdApiKey) }, ...refusals },
  },
  revokeOwnApiKey: {
    summary: 'Ends an API key of the user at once.',
    answers: done,
  },
  listOwnApps: {
    summary: 'The apps that the user has let in, the last used first.',
    query: namedObject('AppsQuery', 'How to list them.', {
      ui_locales: described(z.optional(text), wordsOfApps),
    }),
    answers: { 200: { description: 'The apps.', schema: result(authorizedApps) }, ...refusals },
  },
  revokeOwnApp: {
    summary: 'Takes back what the user has let an app do. Its tokens end at once.',
    answers: done,
  },
  revokeDeviceTokens: {
    summary: 'Trusts no device any more.',
    answers: counted('How many devices are no longer trusted.'),
  },
  signOut: {
    summary: 'Ends the session of the request, if there is one.',
    answers: done,
  },
  getUsers: {
    summary: 'Users, the newest first.',
    query: namedObject('UsersQuery', 'Which users to list.', {
      search: described(
        z.optional(text),
        'A user id, a login ID or its beginning, or a whole name: at most 100 users.',
      ),
      ...ofPage,
    }),
    answers: { 200: { description: 'A page.', schema: usersPage }, ...ownRefusals },
  },
  createUser: {
    summary: 'Creates a user.',
    body: newUser,
    answers: { 200: { description: 'The user.', schema: createdUser }, ...ownRefusals },
  },
  importUsers: {
    summary: 'Imports users from another system. A record that is not valid fails alone.',
    body: importedUsers,
    answers: {
      200: { description: 'The outcome of each record.', schema: importOutcomes },
      ...ownRefusals,
    },
  },
  getUser: {
    summary: 'A user, with identities, authenticators, sessions and failed attempts.',
    answers: { 200: { description: 'The user.', schema: userAccount }, ...ownRefusals },
  },
  deleteUser: {
    summary: 'Deletes a user and everything that belongs to the user.',
    answers: ownDone,
  },
  disableUser: {
    summary: 'Disables a user. The sessions of the user end at once.',
    body: disabling,
    answers: ownDone,
  },
  enableUser: {
    summary: 'Enables a user again.',
    answers: ownDone,
  },
  getUserEvents: {
    summary: 'What happened to a user, newest first; also to one who was deleted.',
    query: namedObject('UserEventsQuery', 'Which events to list.', ofPage),
    answers: { 200: { description: 'A page.', schema: auditedEvents }, ...ownRefusals },
  },
  resetLockout: {
    summary: 'Forgets the failed attempts against a user.',
    answers: ownDone,
  },
  revokeUserSessions: {
    summary: 'Ends all sessions of a user.',
    answers: ownCounted('How many ended.'),
  },
  revokeUserSession: {
    summary: 'Ends a session of a user.',
    answers: ownDone,
  },
  getUserApps: {
    summary: 'The apps that a user has let in, the last used first.',
    query: namedObject('UserAppsQuery', 'How to list them.', {
      uiLocales: described(z.optional(text), wordsOfApps),
    }),
    answers: { 200: { description: 'The apps.', schema: userApps }, ...ownRefusals },
  },
  revokeUserApp: {
    summary: 'Takes back what a user has let an app do. Its tokens end at once.',
    answers: ownDone,
  },
  impersonateUser: {
    summary: 'Opens a short session in which the operator acts as the user.',
    body: impersonation,
    answers: { 200: { description: 'The session.', schema: impersonated }, ...ownRefusals },
  },
  getInvitations: {
    summary: 'The invitations that are open, the newest first.',
    query: namedObject('InvitationsQuery', 'Which invitations to list.', ofPage),
    answers: { 200: { description: 'A page.', schema: invitationsPage }, ...ownRefusals },
  },
  createInvitation: {
    summary: 'Invites the owner of an email address to sign up, by a mail with a link.',
    body: newInvitation,
    answers: { 200: { description: 'The invitation.', schema: invitation }, ...ownRefusals },
  },
  revokeInvitation: {
    summary: 'Revokes an invitation.',
    answers: ownDone,
  },
  resendInvitation: {
    summary: 'Sends the mail of an invitation again.',
    answers: { 200: { description: 'The invitation.', schema: invitation }, ...ownRefusals },
  },
  getApiKeys: {
    summary: 'The API keys of a user or a service, or of all services.',
    query: namedObject('ApiKeysQuery', 'Whose keys to list: at most one owner.', {
      user: described(z.optional(text), 'The id of the user.'),
      service: described(z.optional(text), 'Without an owner: the keys of all services, by page.'),
      ...ofPage,
    }),
    answers: { 200: { description: 'The keys.', schema: listedApiKeys }, ...ownRefusals },
  },
  createApiKey: {
    summary: 'Creates an API key of a user or a service. Only the answer has the key itself.',
    body: newApiKey,
    answers: { 200: { description: 'The key.', schema: createdOwnedApiKey }, ...ownRefusals },
  },
  revokeApiKey: {
    summary: 'Ends an API key at once.',
    answers: ownDone,
  },
}

/** The HTTP interface of the sign-in service. */
export const authApi: ApiInterface<AuthOperation> = {
  tag: 'sign-in',
  places: authOperations,
  operations,
}
