/** Everything that a request can do in any service, and what it is. */
export const actions = {
  'alerts:read': 'list alerts, groups, receivers, silences and their history',
  'alerts:post': 'post alerts',
  'alerts:acknowledge': 'acknowledge alerts and groups',
  'silences:write': 'create silences, and change and expire those of the same subject',
  'silences:write-others': 'change and expire silences of other subjects',
  'receivers:test': 'send a test notification to a receiver',
  'config:read': 'see the configuration, with its secrets masked',
  'config:reload': 'reload the configuration',
  'metrics:read': 'read metrics',
  'webhooks:read': 'see runs of webhooks and their output',
  'webhooks:run': 'run a webhook',
  'webhooks:cancel': 'cancel a run of a webhook',
  'users:manage': 'create, change and delete users',
  'api-keys:manage': 'create and revoke API keys of users and services',
  'users:impersonate': 'act as a user for a short time',
} as const

/** What a request does: see {@link actions}. */
export type Action = keyof typeof actions

/**
 * The action that a route needs. `public` needs none: health checks, descriptions of the API, answers to unknown paths and methods,
 * and routes that prove the caller by themselves, such as the steps of a sign-in.
 */
export type RouteAction = Action | 'public'

/** What operators do to the people of an app: without `authorize`, nobody may. */
const operatorActions: readonly Action[] = ['users:manage', 'api-keys:manage', 'users:impersonate']

/** Whether an action is allowed to all where there is no `authorize`. */
export const isOpen = (action: Action): boolean => !operatorActions.includes(action)

/** The webhook service never admits an unknown sender without a token, whatever its `authorize` says about one. */
export const needsSubject = (action: Action): boolean => action.startsWith('webhooks:')
