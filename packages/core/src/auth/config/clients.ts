import { mappingOf, sectionOf, wholeOf } from '../../document/fields.ts'
import { type Decode, memberOrSelf, type Place, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { filledText, integer, listOf, oneOf } from '../../document/values.ts'
import type { ClientConfig, FlowName, LoadedAuthConfig } from './config.ts'
import { flowTypes } from './flows/flow-grammar.ts'
import type { DocumentNotes } from './flows/flow-notes.ts'
import { ignoring } from './ignored.ts'
import { objectName, redirectUri } from './values.ts'

type AllowList = NonNullable<ClientConfig['x_authentication_flow_allowlist']>

const writtenName = wholeOf<FlowName>(
  { type: oneOf(...flowTypes), name: objectName },
  { required: ['type', 'name'] },
)

/** Names of flows, which must be there. */
export function flowNames(notes: DocumentNotes): Decode<readonly FlowName[]> {
  return listOf((place: Place) => {
    const flow = writtenName(place)
    if (flow !== undefined) notes.flows.push({ place: memberOrSelf(place, 'name'), ...flow })
    return flow
  })
}

function allowList(notes: DocumentNotes): Decode<AllowList> {
  const writtenGroup = wholeOf<{ readonly name: string }>(
    { name: filledText },
    { required: ['name'] },
  )
  const groups = listOf((place: Place) => {
    const group = writtenGroup(place)
    if (group !== undefined) notes.groups.push({ place: memberOrSelf(place, 'name'), ...group })
    return group
  })
  return sectionOf<AllowList>({ groups: [], flows: [] }, { groups, flows: flowNames(notes) })
}

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
  'x_pre_authenticated_url_enabled',
]

type WrittenClient = Pick<ClientConfig, 'client_id'> & Partial<ClientConfig>

/** The applications that sign people in. */
export function oauth(notes: DocumentNotes): Decode<LoadedAuthConfig['oauth']> {
  const writtenClient = wholeOf<WrittenClient>(
    {
      client_id: filledText,
      redirect_uris: listOf(redirectUri),
      x_max_concurrent_session: integer(0, 1),
      x_authentication_flow_allowlist: allowList(notes),
    },
    { required: ['client_id'], ignored: ignoring(...oauthKeys) },
  )
  const clients: Decode<readonly ClientConfig[]> = (place) => {
    const seen = new Set<string>()
    return listOf((at: Place): ClientConfig | undefined => {
      const client = writtenClient(at)
      if (client === undefined) return undefined
      const { client_id } = client
      if (seen.has(client_id)) {
        report(memberOrSelf(at, 'client_id'), 'conflict', `${quoteKey(client_id)} is here already`)
      }
      seen.add(client_id)
      return {
        redirect_uris: [],
        x_max_concurrent_session: 0,
        x_authentication_flow_allowlist: undefined,
        ...client,
      }
    })(place)
  }
  const section = mappingOf<LoadedAuthConfig['oauth']>({ clients })
  return (place) => ({ clients: [], ...section(place) })
}
