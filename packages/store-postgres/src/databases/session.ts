import type { Database, PostgresSession, Row } from '../database.ts'

/** A {@link Database} over one connection that makes its own transactions, such as PGlite. The caller closes it. */
export function sessionDatabase(session: PostgresSession): Database {
  const { listen } = session
  const run = async (
    on: Pick<PostgresSession, 'query'>,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> => (await on.query(text, [...values])).rows as Row[]

  return {
    query: (text, values) => run(session, text, values),
    transaction: (work) =>
      session.transaction((inner) => work({ query: (text, values) => run(inner, text, values) })),
    listen:
      listen === undefined
        ? undefined
        : (channel, { onNotification }) => listen.call(session, channel, onNotification),
    reportsOutcome: false,
    async close() {},
  }
}
