// Starts a PostgreSQL, writes its URL, and waits to be killed.
import { startPostgres } from './postgres/postgres-server.ts'

const { url } = await startPostgres()
process.stdout.write(`${url}\n`)
