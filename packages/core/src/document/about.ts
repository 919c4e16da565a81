import * as z from 'zod/mini'
import type * as core from 'zod/v4/core'

/** A JSON Schema that is written by hand. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly [keyword: string]: unknown
}

/** The facts about a schema besides how it decodes. */
export interface About {
  readonly description?: string
  /** The name of the type of a mapping, and of the copies made of it. */
  readonly title?: string
  /** The name of the type in an HTTP interface. Copies do not inherit it. */
  readonly id?: string
  /** The JSON Schema of a value that zod cannot describe. */
  readonly json?: JsonSchema
  /** Keywords in addition to those that follow from the schema. */
  readonly keywords?: JsonSchema
  /** What bodies are decoded by instead, if the operation checks the value later. */
  readonly later?: JsonSchema
  /** The schema of the values, for a mapping with free keys. */
  readonly values?: unknown
  /** The schemas to choose from. */
  readonly choices?: readonly unknown[]
  /** Keys and words that are accepted and have no effect. */
  readonly idleNames?: readonly string[]
}

/**
 * Facts about the schemas of documents and of HTTP interfaces. Everything that shows a schema reads them here. Apps that use zod have
 * theirs in zod's own registry.
 */
export const aboutSchemas: core.$ZodRegistry<About> = z.registry<About>()
