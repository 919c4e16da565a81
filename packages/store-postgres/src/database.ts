/** A row as the driver returns it, by column. */
export type Row = Readonly<Record<string, unknown>>

/** Options of {@link Queryable.query}. */
export interface QueryOptions {
  /**
   * Whether to plan the statement for its values each time (default no). A generic plan assumes small ranges: it sorts the whole
   * range instead of reading an index up to the limit.
   */
  planEach?: boolean
}

/** Runs one SQL statement. Parameters are `$1`, `$2`, …; arrays become arrays of PostgreSQL. */
export interface Queryable {
  query(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<readonly Row[]>
}

/** Receives notifications. */
export interface Listener {
  /** Called for each notification on the channel. */
  onNotification(payload: string): void
  /** The connection is lost and no further notification will arrive. Called at most once. */
  onLost(error: unknown): void
}

/** The database as the store uses it, independent of the driver. */
export interface Database extends Queryable {
  /** Runs `work` in a READ COMMITTED transaction. If `work` throws, nothing is written. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  /**
   * Whether the driver can distinguish a lost connection from a lost answer to COMMIT. The latter is reported as
   * `StorageUnavailable`.
   */
  readonly reportsOutcome: boolean
  /** Subscribes to a channel and resolves to a function that ends the subscription; `undefined` if the driver cannot listen. */
  listen: ((channel: string, listener: Listener) => Promise<() => Promise<void>>) | undefined
  /** Frees the resources that this object opened itself. */
  close(): Promise<void>
}

/** A connection checked out of a {@link PostgresPool}, by its shape. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Gives the connection back to the pool, or closes it if it is broken. */
  release(destroy?: boolean | Error): void
  on?(event: string, listener: (argument: unknown) => void): unknown
  removeListener?(event: string, listener: (argument: unknown) => void): unknown
}

/** A pool of connections, by its shape: `Pool` of `pg` and compatible drivers. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** With more than one connection, the storage keeps one to listen to other processes. */
  readonly options?: { readonly max?: number }
  on?(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: (error: Error) => void): unknown
}

/** One connection that makes its own transactions, by its shape, such as `PGlite`. */
export interface PostgresSession {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  transaction<T>(
    work: (transaction: {
      query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
    }) => Promise<T>,
  ): Promise<T>
  listen?(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>
}

/** A function with methods, by its shape: the result of `postgres()` from the package `postgres`. */
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

/** An open database, as the host's driver provides it. */
export type PostgresHandle = PostgresPool | PostgresSession | PostgresSql
