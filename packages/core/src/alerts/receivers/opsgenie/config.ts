import {
  block,
  type ConfigKind,
  flag,
  listOf,
  type Report,
  text,
  textMap,
} from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { isGatehouseError } from '../../../errors.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { checkTemplateDelimiters } from '../../fields/template-delimiters.ts'
import { folderUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerOpsgenieConfig } from './written.ts'

/** A person or team that shall respond to an alert. All parts are templates. */
export interface OpsgenieResponder {
  readonly id: string
  readonly name: string
  readonly username: string
  /** `team`, `teams`, `user`, `escalation` or `schedule`. */
  readonly type: string
}

/** Creates and closes alerts in Opsgenie. @see Alertmanager configuration, `<opsgenie_config>` */
export type OpsgenieIntegration = Configured<
  'opsgenie',
  AlertmanagerOpsgenieConfig,
  {
    readonly api_key?: Secret
    /** Ends with a slash. */
    readonly api_url?: Secret
    readonly details: ReadonlyMap<string, string>
    readonly responders: readonly OpsgenieResponder[]
  }
>

const responder: ConfigKind<OpsgenieResponder> = block<OpsgenieResponder>({
  typeName: 'config.OpsGenieConfigResponder',
  fields: {
    id: { kind: text },
    name: { kind: text },
    username: { kind: text },
    type: { kind: text },
  },
})

const responderType = /^(team|teams|user|escalation|schedule)$/

function checkResponder(value: OpsgenieResponder, report: Report): void {
  const { id, name, username, type } = value
  const shown = `opsGenieConfig responder {${id} ${name} ${username} ${type}}`
  if (id === '' && name === '' && username === '') {
    report(`${shown} has to have at least one of id, username or name specified`, 'responders')
  }
  if (!type.includes('{{')) {
    if (responderType.test(type.toLowerCase())) return
    report(`${shown} type does not match valid options ${responderType.source}`, 'responders')
    return
  }
  try {
    checkTemplateDelimiters(type)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    report(`${shown} type is not a valid template: ${error.message}`, 'responders')
  }
}

/** `opsgenie_configs` */
export const opsgenieConfig: IntegrationDefinition<OpsgenieIntegration> =
  defineIntegration<OpsgenieIntegration>({
    type: 'opsgenie',
    order: { run: 4, check: 7, print: 7 },
    typeName: 'config.plain',
    listTypeName: '[]*config.OpsGenieConfig',
    fields: {
      ...commonFields(true),
      api_key: { kind: secret },
      api_key_file: { kind: text },
      api_url: { kind: folderUrl },
      message: { kind: text, default: '{{ template "opsgenie.default.message" . }}' },
      description: { kind: text, default: '{{ template "opsgenie.default.description" . }}' },
      source: { kind: text, default: '{{ template "opsgenie.default.source" . }}' },
      details: { kind: textMap },
      entity: { kind: text },
      responders: { kind: listOf(responder, '[]config.OpsGenieConfigResponder') },
      actions: { kind: text },
      tags: { kind: text },
      note: { kind: text },
      priority: { kind: text },
      update_alerts: { kind: flag },
    },
    check(written, report) {
      valueOrFile(report, 'api_key', written.api_key, written.api_key_file)
      for (const value of written.responders) checkResponder(value, report)
    },
    inherit(written, global, report) {
      const address = written.api_url ?? global.opsgenie_api_url
      if (address === undefined) report('no global OpsGenie URL set')
      const own = address === undefined ? written : { ...written, api_url: address }
      if (own.api_key !== undefined || own.api_key_file !== '') return own
      const { opsgenie_api_key: key, opsgenie_api_key_file: file } = global
      if (key === undefined && file === '') {
        report('no global OpsGenie API Key set either inline or in a file')
      }
      return { ...own, ...(key === undefined ? {} : { api_key: key }), api_key_file: file }
    },
  })
