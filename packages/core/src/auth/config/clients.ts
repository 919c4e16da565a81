import {
  filledText,
  integer,
  listOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  text,
  withDefault,
} from '../../document/schema.ts'
import type { ClientConfig, FlowName, LoadedAuthConfig } from './config.ts'
import { flowTypes } from './flows/flow-grammar.ts'
import { ignoring } from './ignored.ts'
import { distinctBy, objectName, redirectUri } from './values.ts'

/** Names of flows, which must be there. */
export const flowNames: Schema<readonly FlowName[]> = listOf(
  mapping(
    {
      type: required(oneOf(...flowTypes), 'The type of the flow.'),
      name: required(objectName, 'Its name.'),
    },
    { title: 'AuthFlowName' },
  ),
)

/** Keys of clients that are about OAuth itself. */
const oauthKeys = [
  'name',
  'client_name',
  'client_uri',
  'client_party',
  'is_first_party',
  'x_application_type',
  'application_type',
  'policy_uri',
  'tos_uri',
  'logo_uri',
  'grant_types',
  'response_types',
  'post_logout_redirect_uris',
  'custom_ui_uri',
  'x_custom_ui_uri',
  'access_token_lifetime_seconds',
  'refresh_token_lifetime_seconds',
  'refresh_token_idle_timeout_enabled',
  'refresh_token_idle_timeout_seconds',
  'refresh_token_rotation_enabled',
  'issue_jwt_access_token',
  'x_app2app_enabled',
  'x_app2app_insecure_device_key_binding_enabled',
  'x_app_initiated_sso_to_web_enabled',
  'x_dpop_disabled',
  'x_framework',
  'x_pre_authenticated_url_allowed_origins',
  'x_pre_authenticated_url_enabled',
  'x_replace_project_logo_with_logo_uri',
]

const allowList = mapping({
  groups: withDefault(
    listOf(mapping({ name: required(filledText, 'The name of the group.') })),
    [],
    'Groups of `ui.authentication_flow`.',
  ),
  flows: withDefault(flowNames, [], 'Flows.'),
})

const client = mapping<ClientConfig>(
  {
    client_id: required(text, 'The id that requests use.'),
    redirect_uris: withDefault(
      listOf(redirectUri),
      [],
      'Where a browser may be sent back to. Default: nowhere.',
    ),
    x_max_concurrent_session: withDefault(
      integer(0, 1),
      0,
      '1: a sign-in ends the other sessions of the user, who confirms it. 0: any number of sessions.',
    ),
    x_authentication_flow_allowlist: optional(
      allowList,
      'The flows that the client may use. Default: all.',
    ),
  },
  { ignored: ignoring(...oauthKeys) },
)

/** The applications that sign people in. */
export const oauth: Schema<LoadedAuthConfig['oauth']> = mapping(
  {
    clients: withDefault(
      distinctBy(client, { client_id: 'the client' }, { firstCounts: true }),
      [],
      'The applications. Default: none.',
    ),
  },
  { ignored: ignoring('dynamic_client_registration') },
)
