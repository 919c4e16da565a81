// Plays the part of one process in the conformance suite of several.
import { runStorageScenario } from '@gatehouse/core/testing'
import { createSqliteStorage } from '@gatehouse/store-sqlite'

const [filename = '', ...scenario] = process.argv.slice(2)
const storage = createSqliteStorage({ filename, busyTimeoutMs: 20_000 })
await runStorageScenario(storage, scenario, (line) => process.stdout.write(`${line}\n`))
await storage.close()
