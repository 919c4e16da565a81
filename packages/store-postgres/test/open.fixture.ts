// Reads from a storage and prints the reason of the failure.
import { isGatehouseError } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createPostgresStorage } from '@gatehouse/store-postgres'

const notes = defineCollection<number>({ name: 'notes' })
const storage = createPostgresStorage({ url: 'postgres://127.0.0.1:1/none' })
try {
  await storage.get(notes, ['a'])
  process.stdout.write('opened\n')
} catch (error) {
  if (!isGatehouseError(error)) throw error
  process.stdout.write(`${error.reason}\n${error.message}\n`)
}
await storage.close()
