import { text, textMap } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { folderUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerVictoropsConfig } from './written.ts'

/** Sends alerts to VictorOps. @see Alertmanager configuration, `<victorops_config>` */
export type VictoropsIntegration = Configured<
  'victorops',
  AlertmanagerVictoropsConfig,
  {
    readonly api_key?: Secret
    /** Ends with a slash. */
    readonly api_url?: Secret
    readonly custom_fields: ReadonlyMap<string, string>
  }
>

const reservedFields = [
  'routing_key',
  'message_type',
  'state_message',
  'entity_display_name',
  'monitoring_tool',
  'entity_id',
  'entity_state',
]

/** `victorops_configs` */
export const victoropsConfig: IntegrationDefinition<VictoropsIntegration> =
  defineIntegration<VictoropsIntegration>({
    type: 'victorops',
    order: { run: 7, check: 9, print: 10 },
    typeName: 'config.plain',
    listTypeName: '[]*config.VictorOpsConfig',
    fields: {
      ...commonFields(true),
      api_key: { kind: secret },
      api_key_file: { kind: text },
      api_url: { kind: folderUrl },
      routing_key: { kind: text },
      message_type: { kind: text, default: 'CRITICAL' },
      state_message: { kind: text, default: '{{ template "victorops.default.state_message" . }}' },
      entity_display_name: {
        kind: text,
        default: '{{ template "victorops.default.entity_display_name" . }}',
      },
      monitoring_tool: {
        kind: text,
        default: '{{ template "victorops.default.monitoring_tool" . }}',
      },
      custom_fields: { kind: textMap },
    },
    check(written, report) {
      if (written.routing_key === '') report('missing Routing key in VictorOps config')
      valueOrFile(report, 'api_key', written.api_key, written.api_key_file)
      for (const name of reservedFields.filter((field) => written.custom_fields.has(field))) {
        const conflict = 'which cannot be used as it conflicts with the fixed/static fields'
        report(`victorOps config contains custom field ${name} ${conflict}`, 'custom_fields')
      }
    },
    inherit(written, global, report) {
      const address = written.api_url ?? global.victorops_api_url
      if (address === undefined) report('no global VictorOps URL set')
      const own = address === undefined ? written : { ...written, api_url: address }
      if (own.api_key !== undefined || own.api_key_file !== '') return own
      const { victorops_api_key: key, victorops_api_key_file: file } = global
      if (key === undefined && file === '') report('no global VictorOps API Key set')
      return { ...own, ...(key === undefined ? {} : { api_key: key }), api_key_file: file }
    },
  })
