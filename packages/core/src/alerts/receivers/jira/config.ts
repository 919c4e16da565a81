import {
  block,
  type ConfigKind,
  flag,
  mapOf,
  oneOf,
  text,
  texts,
} from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { type AnyValue, anyValue } from '../../fields/any-value.ts'
import { durationIfSet } from '../../fields/durations.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerJiraConfig } from './written.ts'

/** A text of an issue, and whether later notifications update it. */
export interface JiraField {
  readonly template: string
  readonly enable_update: boolean
}

/** Keeps an issue in Jira for each alert group. @see Alertmanager configuration, `<jira_config>` */
export type JiraIntegration = Configured<
  'jira',
  AlertmanagerJiraConfig,
  {
    readonly api_url?: Secret
    readonly summary: JiraField
    readonly description: JiraField
    /** How long after its resolution an issue is reopened, in ms; 0 means always. */
    readonly reopen_duration: number
    /** Additional fields; every string in them is a template. */
    readonly fields: ReadonlyMap<string, AnyValue>
  }
>

const fieldBlock: ConfigKind<JiraField> = block<JiraField>({
  typeName: 'config.plain',
  fields: {
    template: { kind: text },
    enable_update: { kind: flag, default: true, print: 'always' },
  },
})

/** A template, alone or with options. */
const field: ConfigKind<JiraField> = {
  ...fieldBlock,
  decode(place) {
    if (place.node.kind === 'mapping') return fieldBlock.decode(place)
    return { template: text.decode(place), enable_update: true }
  },
  encode: (value) => (value.enable_update ? value.template : fieldBlock.encode(value)),
}

const updated = (template: string): JiraField => ({ template, enable_update: true })

/** `jira_configs` */
export const jiraConfig: IntegrationDefinition<JiraIntegration> =
  defineIntegration<JiraIntegration>({
    type: 'jira',
    order: { run: 15, check: 16, print: 16 },
    typeName: 'config.plain',
    listTypeName: '[]*config.JiraConfig',
    fields: {
      ...commonFields(true),
      api_url: { kind: url },
      api_type: {
        kind: oneOf(['auto', 'cloud', 'datacenter'], 'auto', () => {
          return 'unknown api_type on jira_config, must be cloud, datacenter, or auto'
        }),
        default: 'auto',
      },
      project: { kind: text },
      summary: { kind: field, default: updated('{{ template "jira.default.summary" . }}') },
      description: { kind: field, default: updated('{{ template "jira.default.description" . }}') },
      labels: { kind: texts },
      priority: { kind: text, default: '{{ template "jira.default.priority" . }}' },
      issue_type: { kind: text },
      reopen_transition: { kind: text },
      resolve_transition: { kind: text },
      wont_fix_resolution: { kind: text },
      reopen_duration: { kind: durationIfSet },
      fields: { kind: mapOf(anyValue, 'map[string]interface {}') },
    },
    check(written, report) {
      if (written.project === '') report('missing project in jira_config')
      if (written.issue_type === '') report('missing issue_type in jira_config')
    },
    inherit(written, global, report) {
      const address = written.api_url ?? global.jira_api_url
      if (address === undefined) report('no global Jira Cloud URL set')
      return address === undefined ? written : { ...written, api_url: address }
    },
  })
