// Plays one process in the conformance suite for several processes.
import { runStorageScenario } from '@gatehouse/core/testing'
import { createPostgresStorage } from '@gatehouse/store-postgres'

const [url = '', ...scenario] = process.argv.slice(2)
const storage = createPostgresStorage({ timeoutMs: 60_000, url })
await runStorageScenario(storage, scenario, (line) => process.stdout.write(`${line}\n`))
await storage.close()
