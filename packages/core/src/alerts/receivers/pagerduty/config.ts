import { block, type ConfigKind, listOf, mapOf, text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { type AnyValue, anyValue } from '../../fields/any-value.ts'
import { goDuration } from '../../fields/durations.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerPagerdutyConfig } from './written.ts'

/** An image of an incident. */
export interface PagerdutyImage {
  readonly src: string
  readonly alt: string
  readonly href: string
}

/** A link of an incident. */
export interface PagerdutyLink {
  readonly href: string
  readonly text: string
}

/**
 * Opens incidents: with a `routing_key` by API v2, with a `service_key` by API v1. @see Alertmanager configuration,
 * `<pagerduty_config>`
 */
export type PagerdutyIntegration = Configured<
  'pagerduty',
  AlertmanagerPagerdutyConfig,
  {
    readonly routing_key?: Secret
    readonly service_key?: Secret
    readonly url?: Secret
    /** Every string in it is a template. */
    readonly details: ReadonlyMap<string, AnyValue>
    readonly images: readonly PagerdutyImage[]
    readonly links: readonly PagerdutyLink[]
    /** The timeout of an attempt, in ms; 0 means none. */
    readonly timeout: number
  }
>

const defaultDetails: ReadonlyMap<string, AnyValue> = new Map([
  ['firing', '{{ .Alerts.Firing | toJson }}'],
  ['resolved', '{{ .Alerts.Resolved | toJson }}'],
  ['num_firing', '{{ .Alerts.Firing | len }}'],
  ['num_resolved', '{{ .Alerts.Resolved | len }}'],
])

const image: ConfigKind<PagerdutyImage> = block<PagerdutyImage>({
  typeName: 'config.PagerdutyImage',
  fields: { src: { kind: text }, alt: { kind: text }, href: { kind: text } },
})

const link: ConfigKind<PagerdutyLink> = block<PagerdutyLink>({
  typeName: 'config.PagerdutyLink',
  fields: { href: { kind: text }, text: { kind: text } },
})

/** `pagerduty_configs` */
export const pagerdutyConfig: IntegrationDefinition<PagerdutyIntegration> =
  defineIntegration<PagerdutyIntegration>({
    type: 'pagerduty',
    order: { run: 3, check: 5, print: 4 },
    typeName: 'config.plain',
    listTypeName: '[]*config.PagerdutyConfig',
    fields: {
      ...commonFields(true),
      service_key: { kind: secret },
      service_key_file: { kind: text },
      routing_key: { kind: secret },
      routing_key_file: { kind: text },
      url: { kind: url },
      client: { kind: text, default: '{{ template "pagerduty.default.client" . }}' },
      client_url: { kind: text, default: '{{ template "pagerduty.default.clientURL" . }}' },
      description: { kind: text, default: '{{ template "pagerduty.default.description" .}}' },
      details: { kind: mapOf(anyValue, 'map[string]interface {}'), default: defaultDetails },
      images: { kind: listOf(image, '[]config.PagerdutyImage') },
      links: { kind: listOf(link, '[]config.PagerdutyLink') },
      source: { kind: text },
      severity: { kind: text },
      class: { kind: text },
      component: { kind: text },
      group: { kind: text },
      timeout: { kind: goDuration },
    },
    check(written, report) {
      const { routing_key, routing_key_file, service_key, service_key_file } = written
      const hasKey = routing_key !== undefined || service_key !== undefined
      if (!hasKey && routing_key_file === '' && service_key_file === '') {
        report('missing service or routing key in PagerDuty config')
      }
      valueOrFile(report, 'routing_key', routing_key, routing_key_file)
      valueOrFile(report, 'service_key', service_key, service_key_file)
    },
    complete: (written) => ({
      ...written,
      source: written.source || written.client,
      details: new Map([...defaultDetails, ...written.details]),
    }),
    inherit(written, global, report) {
      const address = written.url ?? global.pagerduty_url
      if (address === undefined) report('no global PagerDuty URL set')
      return address === undefined ? written : { ...written, url: address }
    },
  })
