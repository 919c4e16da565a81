// Opens a storage and prints the reason of the failure.
import { isGatehouseError } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'

try {
  createSqliteStorage({ filename: ':memory:' })
  process.stdout.write('opened\n')
} catch (error) {
  if (!isGatehouseError(error)) throw error
  process.stdout.write(`${error.reason}\n${error.message}\n`)
}
