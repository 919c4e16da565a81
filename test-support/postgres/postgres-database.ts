import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Makes a new database on the server of `serverUrl` and returns its URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(serverUrl, `CREATE DATABASE ${name}`)
  url.pathname = `/${name}`
  return url.href
}

/** Drops a database of {@link createDatabase}, even while clients are connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const serverUrl = new URL(url)
  const name = serverUrl.pathname.slice(1)
  serverUrl.pathname = '/postgres'
  await runSql(serverUrl.href, `DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`)
}

const emptying = `DO $$ DECLARE name text; BEGIN
  PERFORM pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid();
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
  EXECUTE format('ALTER DATABASE %I OWNER TO CURRENT_USER', current_database());
  EXECUTE format('ALTER DATABASE %I RESET ALL', current_database());
  CREATE SCHEMA public AUTHORIZATION pg_database_owner;
  GRANT USAGE ON SCHEMA public TO PUBLIC;
END $$`

/**
 * Ends all connections to a database of {@link createDatabase}, and removes its schemas, its owner and its settings, as if it were
 * new. This takes a small part of the time for another database, which is a copy of three hundred files.
 */
export async function emptyDatabase(url: string): Promise<void> {
  await runSql(url, emptying, { options: '-c default_transaction_read_only=off' })
}

/** Runs one statement on a connection of its own. */
export async function runSql(
  url: string,
  sql: string,
  config: pg.ClientConfig = {},
): Promise<pg.QueryResult> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 20_000,
    ...config,
  })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
