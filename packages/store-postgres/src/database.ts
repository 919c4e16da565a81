/** A row as the driver answers it, by column. */
export type Row = Readonly<Record<string, unknown>>

/** Options of {@link Queryable.query}. */
export interface QueryOptions {
  /**
   * Plans the statement for its values each time (default no). A plan for any values takes every range for a small one,
   * and sorts it as a whole rather than read an index up to the limit.
   */
  planEach?: boolean
}

/** What runs one SQL statement: parameters are `$1`, `$2`, …; arrays are arrays of PostgreSQL. */
export interface Queryable {
  query(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<readonly Row[]>
}

/** What hears of notifications. */
export interface Listener {
  /** Somebody notified the channel. */
  onNotification(payload: string): void
  /** From now on nothing is heard: the connection is gone. Called at most once. */
  onLost(error: unknown): void
}

/** The database as the store uses it, whichever driver is below. */
export interface Database extends Queryable {
  /** Runs `work` in a transaction of isolation level READ COMMITTED: if it throws, nothing was written. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  /** Whether a lost connection is told apart from a lost answer to COMMIT, which is `StorageUnavailable` then. */
  readonly tellsOutcome: boolean
  /** Hears of a channel until the answer is called; `undefined` if the driver cannot. */
  listen: ((channel: string, listener: Listener) => Promise<() => Promise<void>>) | undefined
  /** Frees what this object opened itself. */
  close(): Promise<void>
}

/** A connection checked out of a {@link PostgresPool}, by its shape. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Gives the connection back, or ends it if told that it is broken. */
  release(destroy?: boolean | Error): void
  on?(event: string, listener: (argument: unknown) => void): unknown
  removeListener?(event: string, listener: (argument: unknown) => void): unknown
}

/** A pool of connections, by its shape: `Pool` of `pg` has it, and those of drivers made like it. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** With more than one connection, one is kept to hear of other processes. */
  readonly options?: { readonly max?: number }
  on?(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: (error: Error) => void): unknown
}

/** One connection that makes its own transactions, by its shape: `PGlite` has it. */
export interface PostgresSession {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  transaction<T>(
    work: (transaction: {
      query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
    }) => Promise<T>,
  ): Promise<T>
  listen?(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>
}

/** A function with methods, by its shape: what `postgres()` of the package `postgres` answers. */
export interface PostgresSql {
  unsafe(text: string, values?: never[]): PromiseLike<readonly unknown[]>
  begin<T>(
    options: string,
    work: (sql: {
      unsafe(text: string, values?: never[]): PromiseLike<readonly unknown[]>
    }) => Promise<T>,
  ): Promise<unknown>
  listen?(
    channel: string,
    onNotify: (payload: string) => void,
  ): Promise<{ unlisten(): Promise<void> }>
}

/** An open database, as the driver of the host has it. */
export type PostgresHandle = PostgresPool | PostgresSession | PostgresSql
