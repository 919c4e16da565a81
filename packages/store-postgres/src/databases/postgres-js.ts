import type { Database, PostgresSql, Row } from '../database.ts'

/** A {@link Database} over the package `postgres`, which connects again by itself. The caller closes it. */
export function postgresJsDatabase(sql: PostgresSql): Database {
  const { listen } = sql
  const run = async (
    on: Pick<PostgresSql, 'unsafe'>,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => [...(await on.unsafe(text, values as never[]))] as Row[]

  return {
    query: (text, values) => run(sql, text, values),
    async transaction(work) {
      // The driver changes an array that the callback of `begin` returns, so the result takes another way out.
      const results: Awaited<ReturnType<typeof work>>[] = []
      await sql.begin('ISOLATION LEVEL READ COMMITTED', async (inner) => {
        results.push(await work({ query: (text, values) => run(inner, text, values) }))
      })
      const [result] = results
      return result as Awaited<ReturnType<typeof work>>
    },
    listen:
      listen === undefined
        ? undefined
        : async (channel, { onNotification }) => {
            const { unlisten } = await listen.call(sql, channel, onNotification)
            return unlisten
          },
    reportsOutcome: false,
    async close() {},
  }
}
