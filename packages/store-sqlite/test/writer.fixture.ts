// Commits records until it is killed or has made the given number of commits. Writes a line for each acknowledged one. With the folder
// of better-sqlite3, it uses that driver.
import { createRequire } from 'node:module'
import { defineCollection, retryOnConflict } from '@gatehouse/core/store'
import { createSqliteStorage } from '@gatehouse/store-sqlite'

const [filename = '', writer = '', commits = 'Infinity', driver] = process.argv.slice(2)

const entries = defineCollection<{ writer: string; round: number }>({
  name: 'entries',
  fields: { writer: 'text' },
  feed: true,
})
const counters = defineCollection<number>({ name: 'counters' })

const BetterSqlite3 = driver === undefined ? undefined : createRequire(import.meta.url)(driver)
const storage = createSqliteStorage({
  filename,
  busyTimeoutMs: 20_000,
  ...(BetterSqlite3 !== undefined && { database: new BetterSqlite3(filename) }),
})
for (let round = 0; round < Number(commits); round++) {
  await retryOnConflict(
    async () => {
      const counter = await counters.get(storage, 'all')
      const records = Array.from({ length: 5 }, (_, index) =>
        entries.write(`${writer}-${round}-${index}`, { writer, round }, { if: 'absent' }),
      )
      const write = counters.write('all', (counter?.value ?? 0) + 1, {
        if: counter?.version ?? 'absent',
      })
      await storage.commit([...records, write])
    },
    { attempts: 10_000 },
  )
  // Lines that a slow reader has not taken yet would die with this process.
  await new Promise((resolve) => process.stdout.write(`${round}\n`, resolve))
}
await storage.close()
