/** A change of one thing, as all listeners get it. */
export interface Change<Topic extends string = string> {
  /** What listeners subscribe to. */
  readonly topic: Topic
  /** A later change with the same key replaces this one for a listener that lags behind. */
  readonly key: string
  /** The event as bytes. Listeners share them, so they must not change. */
  readonly bytes: Uint8Array
  /** What filters look at; its meaning is the source's. */
  readonly subject: unknown
}

/** Which changes a listener gets. */
export interface ChangeFilter<Topic extends string = string> {
  readonly topics: ReadonlySet<Topic>
  /** Listeners with equal texts share one test and its result. */
  readonly id: string
  wants(change: Change<Topic>): boolean
}

/** Changes, and the position that a listener has once it got them. */
export interface ChangeBatch<Topic extends string = string> {
  readonly changes: readonly Change<Topic>[]
  /** Opaque for clients. */
  readonly position: string
}

/** Finds the changes that a hub sends. */
export interface ChangeSource<Topic extends string> {
  /** The changes since the last call; none at the first call after a start or {@link ChangeSource.rest}. */
  look(topics: ReadonlySet<Topic>): Promise<ChangeBatch<Topic>>
  /**
   * The changes from this position until the last look. They may include some that the client knows. `undefined` if they are not
   * known any more.
   */
  since(position: string, topics: ReadonlySet<Topic>): Promise<readonly Change<Topic>[] | undefined>
  /** The last listener is gone: forgets what only listeners need. */
  rest(): void
}
