/** The part of a JSON Schema that samples are made from. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

export interface SampleOptions {
  /** Returns a text for a member with this name. */
  text(name: string, format?: string): string
  /** Optional members that stand in the place of all others, as their descriptions say. */
  readonly alone: ReadonlySet<string>
}

/**
 * Objects that fit a schema and together have each of its members and every member of each choice: one with the needed members alone,
 * and others with all.
 *
 * @param named the schemas that it may refer to.
 */
export function samplesOf(
  root: object,
  named: object,
  { text, alone }: SampleOptions,
): readonly object[] {
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : (Reflect.get(named, $ref.slice($ref.lastIndexOf('/') + 1)) ?? {})

  const of = (given: Schema, name: string): readonly unknown[] => {
    const schema = resolved(given)
    if (schema.const !== undefined) return [schema.const]
    if (schema.enum !== undefined) return schema.enum
    if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => of(one, name))
    if (schema.properties !== undefined) return ofMembers(schema)
    if (Array.isArray(schema.type))
      return schema.type.flatMap((type) => of({ ...schema, type }, name))
    if (schema.type === 'null') return [null]
    if (schema.type === 'array') return [of(schema.items ?? {}, name).slice(0, 50)]
    if (schema.type === 'object') {
      return of(schema.additionalProperties ?? {}, name).map((value) => ({ a_name: value }))
    }
    if (schema.type === 'integer' || schema.type === 'number') return [1]
    if (schema.type === 'boolean') return [true]
    return [text(name, schema.format)]
  }

  const ofMembers = ({ properties = {}, required = [], oneOf = [] }: Schema): readonly object[] => {
    // Of members that exclude each other a sample has one.
    const chosen = oneOf.flatMap((one) => one.required ?? [])
    const lonely = Object.keys(properties).filter(
      (name) => alone.has(name) && !required.includes(name) && !chosen.includes(name),
    )
    const rows = chosen.length === 0 ? [[]] : chosen.map((name) => [name])
    const all = rows.flatMap((row) => [
      ...samplesWith(properties, [...required, ...row]),
      ...samplesWith(
        properties,
        Object.keys(properties).filter(
          (name) => row.includes(name) || ![...chosen, ...lonely].includes(name),
        ),
      ),
    ])
    return [...all, ...lonely.flatMap((name) => samplesWith(properties, [...required, name]))]
  }

  const samplesWith = (
    properties: Readonly<Record<string, Schema>>,
    names: readonly string[],
  ): readonly object[] => {
    const values = names.map((name) => [name, of(properties[name] ?? {}, name)] as const)
    const count = Math.max(1, ...values.map(([, some]) => some.length))
    return Array.from({ length: count }, (_, index) =>
      Object.fromEntries(values.map(([name, some]) => [name, some[index % some.length]])),
    )
  }

  return of(root as Schema, '') as readonly object[]
}
