import {
  type BlockField,
  type BlockTable,
  block,
  type ConfigKind,
  flag,
  integer,
  listOf,
  optional,
  type Report,
  type YamlValue,
} from '@gatehouse/go-template/yaml'
import type { HttpConfig } from '../../http-client/http-config.ts'
import type { GlobalConfig } from '../fields/global.ts'
import { defaultHttpConfig, httpConfig } from '../fields/http-config.ts'
import type { AlertmanagerIntegration } from './written-integration.ts'

/** Settings that every integration has. */
export interface IntegrationBase {
  /** Such as `webhook`. */
  readonly type: string
  /** The index in the receiver's list of this type, from 0. */
  readonly index: number
  /** Whether to notify when alerts are resolved. */
  readonly send_resolved: boolean
  /** Its own or the global one. */
  readonly http_config: HttpConfig
}

/**
 * An integration, by the type of its keys in the configuration: all of them, with their defaults. `Other` has those that are not
 * what was written, such as secrets, and lengths of time in ms.
 */
export type Configured<
  Type extends string,
  Keys extends AlertmanagerIntegration,
  Other,
> = IntegrationBase & { readonly type: Type } & Other &
  Required<Omit<Keys, keyof AlertmanagerIntegration | keyof Other>>

/** An integration as decoded: without its index; inherited settings are optional. */
export type Written<I extends IntegrationBase, Inherited extends keyof I = never> = Omit<
  I,
  'type' | 'index' | 'http_config' | Inherited
> &
  Partial<Pick<I, 'http_config' | Inherited>>

/** The positions of a type among the others, from 1, as in Alertmanager. */
export interface IntegrationOrder {
  /** The order in which a receiver notifies. */
  readonly run: number
  /** The order of checks: the first problem becomes the message. */
  readonly check: number
  /** The order in the written configuration. */
  readonly print: number
}

/** How one type of integration is configured. Made by {@link defineIntegration}. */
export interface IntegrationDefinition<I extends IntegrationBase = IntegrationBase> {
  readonly type: I['type']
  /** Absent: after all types that have one. */
  readonly order?: IntegrationOrder | undefined
  /** Whether `max_alerts` cuts as Alertmanager does, which may leave out firing alerts before resolved ones. */
  readonly cutsInOrder: boolean
  /** The list `<type>_configs` of a receiver. */
  readonly list: BlockField<readonly object[]>
  /** Completes an element of the list from `global`. Reports what is missing. */
  inherit(written: object, index: number, global: GlobalConfig, report: Report): I
  encode(integration: IntegrationBase): YamlValue
}

/** Options of {@link defineIntegration}. */
export interface IntegrationOptions<I extends IntegrationBase, W extends object>
  extends BlockTable<W> {
  readonly type: I['type']
  readonly order?: IntegrationOrder
  /** The type name of the list in messages. */
  readonly listTypeName: string
  /** Fills in inherited settings except `http_config`. Reports settings that are missing in both. */
  inherit(
    written: W,
    global: GlobalConfig,
    report: Report,
  ): Omit<I, keyof IntegrationBase> & Partial<Pick<I, 'http_config'>>
  /** The inverse, if fields in the configuration have other names in the integration. */
  toWritten?(integration: I): W
}

/** Defines a type of integration by its fields. */
export function defineIntegration<
  I extends IntegrationBase,
  W extends object & Partial<Pick<IntegrationBase, 'http_config' | 'send_resolved'>> = Written<I>,
>(options: IntegrationOptions<I, W>): IntegrationDefinition<I> {
  const { type, order } = options
  // Alertmanager has the key only for some types: there it has its own place among the keys.
  const cutsInOrder = 'max_alerts' in options.fields
  const fields = cutsInOrder ? options.fields : { ...options.fields, ...limitField }
  const kind: ConfigKind<W> = block({ ...options, fields })
  const list = listOf(kind, options.listTypeName, `missing ${type} config`)
  return {
    type,
    order,
    cutsInOrder,
    // `inherit` and `encode` get only lists that this definition decoded, so the elements are of type W.
    list: { kind: list as ConfigKind<readonly object[]> },
    inherit(written, index, global, report) {
      const given = written as W
      const http_config = given.http_config ?? global.http_config ?? defaultHttpConfig
      const own = options.inherit(given, global, report)
      return { ...given, http_config, ...own, type, index } as object as I
    },
    encode(integration) {
      const written = options.toWritten?.(integration as I) ?? (integration as object as W)
      return kind.encode(written) ?? null
    },
  }
}

/** The most alerts in a notification; 0 means all. */
const limitField = { max_alerts: { kind: integer('uint64') } }

/** The first fields of every integration. */
export function commonFields(sendResolved: boolean): {
  readonly send_resolved: BlockField<boolean>
  readonly http_config: BlockField<HttpConfig | undefined>
} {
  return {
    send_resolved: { kind: flag, default: sendResolved, print: 'always' },
    http_config: { kind: optional(httpConfig) },
  }
}
