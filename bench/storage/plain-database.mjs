// The speed of the database without Gatehouse: the lower bound for the cost of a commit.
import pg from 'pg'
import { rate } from './rate.mjs'
import { entryOf, idOf } from './records.mjs'

const table = `CREATE TABLE IF NOT EXISTS plain_rows
  (id text COLLATE "C" PRIMARY KEY, version text NOT NULL, expires_at float8, value text NOT NULL)`
const upsert = `INSERT INTO plain_rows (id, version, expires_at, value) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE
  SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value`

/**
 * Upserts of one row per transaction, each client one after another.
 *
 * @param {string} url
 * @param {{ forMs: number, clients: number }} options
 * @returns {Promise<number>} per second
 */
export async function upsertRate(url, { forMs, clients }) {
  const idle = Array.from({ length: clients }, () => new pg.Client({ connectionString: url }))
  const all = [...idle]
  try {
    for (const client of all) await client.connect()
    await all[0]?.query(table)
    return await rate(
      async (call) => {
        const client = idle.pop()
        if (client === undefined) throw new Error('more calls at once than clients')
        const value = JSON.stringify(entryOf(call, call))
        await client.query(upsert, [idOf(call % 1_000), `${call}`, null, value])
        idle.push(client)
      },
      { forMs, atOnce: clients },
    )
  } finally {
    await Promise.all(all.map((client) => client.end()))
  }
}
