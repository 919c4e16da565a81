import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostableAlert } from '@gatehouse/core'
import { createAlerts, importAlertmanagerState } from '@gatehouse/core/alerts'
import { type StoragePlaceFlags, storagePlaceOf } from '../backup/storage-place.ts'
import { fileProblem } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { counted } from '../counted.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { openStorage } from '../storage.ts'
import { thisMachine } from '../this-machine.ts'

/** Flags of `gatehouse import alertmanager`. */
export interface ImportAlertmanagerFlags extends StoragePlaceFlags {
  readonly alerts?: string
  readonly json?: boolean
}

/** Nothing is routed here: the service stores what it is given. */
const config = 'route: { receiver: none }\nreceivers: [{ name: none }]\n'

/** Takes over the data folder of an Alertmanager. Returns the exit code: 1 if something was left out. */
export async function importAlertmanager(
  folder: string,
  flags: ImportAlertmanagerFlags,
): Promise<number> {
  const files = orFail(folder, () => readdirSync(folder))
  const [silences, notificationLog] = ['silences', 'nflog'].map((name) =>
    files.includes(name) ? read(join(folder, name)) : undefined,
  )
  if (silences === undefined && notificationLog === undefined) {
    throw new Error(
      `${folder}: has neither silences nor nflog; Alertmanager writes them when it stops`,
    )
  }
  const given = flags.alerts === undefined ? undefined : alertsIn(flags.alerts)
  const choice = await storagePlaceOf(flags)
  const fail = (_fields: object, message: string): void => writeErrorLine(`${message}\n`)
  const logger = { debug() {}, info() {}, warn: fail, error: fail }
  const storage = openStorage(choice, { logger })
  try {
    const alerts = createAlerts({ ...thisMachine, logger, storage, config })
    const { leftOut, ...counts } = await importAlertmanagerState(alerts, {
      ...(silences === undefined ? {} : { silences }),
      ...(notificationLog === undefined ? {} : { notificationLog }),
      ...(given === undefined ? {} : { alerts: given }),
    })
    for (const line of leftOut) writeErrorLine(`left out: ${line}\n`)
    console.log(
      flags.json
        ? JSON.stringify({ ...counts, leftOut })
        : `imported ${counted(counts.silences, 'silence')}, ${counted(counts.notifications, 'log')} of notifications, ${counted(counts.alerts, 'alert')}`,
    )
    return leftOut.length === 0 ? 0 : badNews
  } finally {
    await storage.close()
  }
}

const read = (path: string): Uint8Array => orFail(path, () => readFileSync(path))

/** Names the path in the error of the file system. */
function orFail<Value>(path: string, use: () => Value): Value {
  try {
    return use()
  } catch (error) {
    throw new Error(`${path}: ${fileProblem(error)}`, { cause: error })
  }
}

function alertsIn(path: string): readonly PostableAlert[] {
  const text = Buffer.from(read(path)).toString()
  try {
    return JSON.parse(text) as readonly PostableAlert[] // checked by the import
  } catch (error) {
    throw new Error(`${path}: is not JSON`, { cause: error })
  }
}
