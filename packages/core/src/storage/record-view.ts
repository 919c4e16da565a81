import type { Collection } from './storage.ts'

/** How a column of a {@link RecordView} is read: an instant becomes a time of the database, JSON stays JSON. */
export type ViewColumnType = 'text' | 'flag' | 'instant' | 'json'

/** A column of a {@link RecordView}. */
export interface ViewColumn {
  readonly name: string
  /** Where the value of a record has it: the names of properties, from the outside in. */
  readonly path: readonly string[]
  readonly type: ViewColumnType
  /** Where to look if it is missing there: in the oldest record of another collection that belongs to this one. */
  readonly otherwise?: {
    readonly collection: Collection
    /** The declared field with the id of this record. */
    readonly by: string
    readonly path: readonly string[]
  }
}

/**
 * The live records of a collection as rows with plain columns, for programs that read a database by SQL. A store turns it into a
 * view. A column is added when it is needed, and never removed or given another type.
 */
export interface RecordView {
  /** The name of the view follows the prefix of the tables. */
  readonly name: string
  readonly collection: Collection
  /** The columns after `id`, in order. */
  readonly columns: readonly ViewColumn[]
}
