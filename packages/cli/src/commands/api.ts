import { resolve } from 'node:path'
import type { AlertsConfigSource } from '@gatehouse/core'
import { Command } from 'commander'
import { apiConfigKind, listenAddressOf, storageChoiceOf } from '../api-config.ts'
import { peerOf } from '../cluster.ts'
import { readConfigFile } from '../config-file.ts'
import { listenAddressFlag } from '../flags.ts'
import { type ListenAddress, machineUrl } from '../listen-address.ts'
import { addLogFlags, type LogFlags, loggerFor } from '../log-flags.ts'
import { printFailure, runCommand } from '../run-command.ts'
import { serve } from '../serve.ts'
import type { PreparedService } from '../service.ts'
import {
  type AlertsSection,
  type AlertsServiceSettings,
  alertsSettings,
  prepareAlerts,
  readAlertsSource,
} from '../services/alerts.ts'
import { openStorage, type StorageChoice, storageName } from '../storage.ts'
import { createWebGuard, openGuard, type WebGuard } from '../web-guard.ts'

interface ApiFlags extends LogFlags {
  readonly config: string
  readonly listen?: readonly ListenAddress[]
}

/** Exit code for a file that cannot be served. */
const badConfig = 2

/** `gatehouse api`: serves every service that a file names. */
export function apiCommand(): Command {
  const command = new Command('api')
    .description('Serve every service that a file names, from one storage.')
    .requiredOption('--config <file>', 'the file, in YAML or JSON')
    .option('--listen <address>', 'listen here instead; may be repeated', listenAddressFlag)
  return addLogFlags(command).action(() => runCommand(() => serveApi(command.opts<ApiFlags>())))
}

async function serveApi(flags: ApiFlags): Promise<number> {
  let prepared: Prepared
  try {
    prepared = await prepare(flags)
  } catch (error) {
    printFailure(error)
    return badConfig
  }
  const logger = loggerFor(flags)
  const storage = openStorage(prepared.storage, logger)
  return serve({
    services: prepared.services.map((service) => service.create(storage, logger)),
    storage,
    storageName: storageName(prepared.storage),
    addresses: prepared.addresses,
    guard: prepared.guard,
    logger,
  })
}

/** Everything the file says, checked; nothing is open yet. */
interface Prepared {
  readonly services: readonly PreparedService[]
  readonly storage: StorageChoice
  readonly addresses: readonly ListenAddress[]
  readonly guard: WebGuard
}

async function prepare({ config: filename, listen }: ApiFlags): Promise<Prepared> {
  const { directory, value } = await readConfigFile(filename, apiConfigKind)
  const { web_config: webConfig, alerts } = value
  const addresses = listen ?? [listenAddressOf(value)]
  const guard =
    webConfig === undefined ? openGuard : await createWebGuard(resolve(directory, webConfig))
  const url = machineUrl(addresses, guard.tls !== undefined)
  const settingsOf = (section: AlertsSection): AlertsServiceSettings => ({
    ...alertsSettings(section, url),
    cluster: peerOf(section.cluster, addresses),
  })
  return {
    services:
      alerts === undefined ? [] : [await prepareAlertsOf(filename, alerts, settingsOf(alerts))],
    storage: await storageChoiceOf(value, directory),
    addresses,
    guard,
  }
}

/** A reload reads the file again, for a configuration that stands in it; its other settings need a new start. */
function prepareAlertsOf(
  filename: string,
  section: AlertsSection,
  settings: AlertsServiceSettings,
): Promise<PreparedService> {
  const readConfig = async (): Promise<AlertsConfigSource> => {
    const file = await readConfigFile(filename, apiConfigKind)
    return readAlertsSource(file.value.alerts ?? section, file)
  }
  return prepareAlerts(readConfig, settings)
}
