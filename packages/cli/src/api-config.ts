import { resolve } from 'node:path'
import {
  block,
  type ConfigKind,
  flag,
  integer,
  optional,
  reportCheck,
  text,
} from '@gatehouse/core/config'
import { oneOfThese } from './config-file.ts'
import { type ListenAddress, parseListenAddress } from './listen-address.ts'
import { type AlertsSection, alertsSection } from './services/alerts.ts'
import type { StorageChoice } from './storage.ts'

/** The file of `gatehouse api`. */
export interface ApiConfig {
  /** Where to listen. */
  readonly listen: ListenAddress | undefined
  /** The same with every address of the machine. */
  readonly port: number | undefined
  /** A web configuration file: TLS, basic authentication, headers. */
  readonly web_config: string | undefined
  readonly storage: StorageSection
  readonly alerts: AlertsSection | undefined
}

/** The section `storage`. */
export interface StorageSection {
  /** Path of the database file. */
  readonly sqlite: string | undefined
  readonly durability: 'process' | 'power'
  readonly memory: boolean
}

const storageSection: ConfigKind<StorageSection> = block<StorageSection>({
  typeName: 'storage',
  fields: {
    sqlite: { kind: optional(text) },
    durability: { kind: oneOfThese(['process', 'power']) },
    memory: { kind: flag },
  },
  check({ sqlite, memory }, report) {
    if ((sqlite !== undefined) === memory) report('name one storage: sqlite: FILE, or memory: true')
  },
})

const listenAddress: ConfigKind<ListenAddress | undefined> = {
  typeName: 'address',
  zero: undefined,
  isOptional: true,
  encode: () => undefined,
  decode(place) {
    const given = text.decode(place)
    try {
      return parseListenAddress(/^\d+$/.test(given) ? `:${given}` : given)
    } catch (error) {
      reportCheck(place, error instanceof Error ? error.message : String(error))
      return undefined
    }
  },
}

/** How the file is read. */
export const apiConfigKind: ConfigKind<ApiConfig> = block<ApiConfig>({
  typeName: 'gatehouse',
  fields: {
    listen: { kind: listenAddress },
    port: { kind: optional(integer('uint')) },
    web_config: { kind: optional(text) },
    storage: { kind: storageSection },
    alerts: { kind: optional(alertsSection) },
  },
  check({ listen, port, storage, alerts }, report) {
    if (listen !== undefined && port !== undefined) report('name either listen or port', 'port')
    if (port !== undefined && port > 65_535) report('the port is above 65535', 'port')
    if (storage.sqlite === undefined && !storage.memory) {
      report('name a storage: { sqlite: FILE } or { memory: true }')
    }
    if (alerts === undefined) report('name a service: alerts')
  },
})

/** Where a file says to listen; without a word of it, on port 9093 of every address. */
export function listenAddressOf({ listen, port = 9_093 }: ApiConfig): ListenAddress {
  return listen ?? { port }
}

/** The storage a file names; its path starts from the folder of the file. */
export function storageChoiceOf({ storage }: ApiConfig, directory: string): StorageChoice {
  const { sqlite, durability } = storage
  if (sqlite === undefined) return { kind: 'memory' }
  return { kind: 'sqlite', filename: resolve(directory, sqlite), durability }
}
