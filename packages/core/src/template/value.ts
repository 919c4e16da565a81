/**
 * What a template works on. Plain values stand for Go's plain types:
 *
 * - `null` is `nil`, a string is a `string` (its length counts UTF-8 bytes), a boolean is a `bool`;
 * - a whole number within ±2^53 and every `bigint` is an `int`, any other number a `float64`;
 * - an array is an `[]interface {}`, a `Map` a `map[string]interface {}`.
 *
 * Everything else says what it is. Nothing of a JavaScript object can be reached by name: a template sees
 * only the entries of maps, the fields of structs and the methods that were handed in.
 */
export type Value =
  | null
  | string
  | boolean
  | number
  | bigint
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | GoNumber
  | GoText
  | GoList
  | GoMap
  | GoStruct
  | GoObject
  | GoFunction

/** A number of a type of its own, as `float64` for 1.0. Made by `float()` and its like in `make-value.ts`. */
export interface GoNumber {
  readonly kind: 'number'
  readonly type: NumberType
  readonly value: number | bigint
}

/** The types of {@link GoNumber}. */
export type NumberType = 'float64' | 'int32' | 'int64' | 'uint8' | 'uint64'

/** A text of a type of its own, as `template.HTML`: content that the html engine need not escape. */
export interface GoText {
  readonly kind: 'text'
  /** As error messages write it. */
  readonly typeName: string
  readonly text: string
}

/** A list of a type of its own. */
export interface GoList {
  readonly kind: 'list'
  readonly type: ListType
  readonly items: readonly Value[]
}

/** The type of a {@link GoList}. */
export interface ListType {
  /** As error messages write it: `template.Alerts`, `[]string`. */
  readonly name: string
  /** The type of its elements: `template.Alert`, `string`. */
  readonly element: string
  readonly methods?: Methods<GoList>
  /** How it is printed, where it is not as `[a b]`. */
  readonly toText?: (list: GoList) => string
}

/** A map of a type of its own. Its keys are visited in the order of their UTF-8 bytes, whatever their order in the map. */
export interface GoMap {
  readonly kind: 'map'
  readonly type: MapType
  readonly entries: ReadonlyMap<string, Value>
}

/** The type of a {@link GoMap}. */
export interface MapType {
  /** As error messages write it: `template.KV`, `map[string]string`. */
  readonly name: string
  /** The type of its elements: `string`. */
  readonly element: string
  /** What a missing key gives: the empty text for texts. */
  readonly zero: Value
  readonly methods?: Methods<GoMap>
  /** How it is printed, where it is not as `map[a:b]`. */
  readonly toText?: (map: GoMap) => string
}

/** A value with named fields. */
export interface GoStruct {
  readonly kind: 'struct'
  readonly type: StructType
  /** In the order in which they are printed. */
  readonly fields: ReadonlyMap<string, Value>
}

/** The type of a {@link GoStruct}. */
export interface StructType {
  /** As error messages write it: `template.Data`. */
  readonly name: string
  /** The names that fields have in JSON, where these differ. */
  readonly jsonNames?: ReadonlyMap<string, string>
  readonly methods?: Methods<GoStruct>
  /** How it is printed, where it is not as `{a b}`. */
  readonly toText?: (struct: GoStruct) => string
}

/**
 * A value that knows by itself what a template may do with it: a time, a duration. It is printed as text,
 * and where it is a whole number underneath, compared and formatted as that number too.
 */
export interface GoObject {
  readonly kind: 'object'
  /** As error messages write it: `time.Time`. */
  readonly typeName: string
  /** The number it is underneath, as for durations (nanoseconds) and months. */
  readonly integer?: number | bigint
  /** The method of this name, bound to this value. */
  method(name: string): TemplateFunction | undefined
  /** How it is printed. */
  toText(): string
  /** How `%#v` writes it. */
  toGoSyntax(): string
  /** Its JSON text. */
  toJson(): string
  /** Whether `eq` finds it equal to another value of its type. */
  equals(other: GoObject): boolean
}

/** A function as a value, for `call`. */
export interface GoFunction {
  readonly kind: 'function'
  /** As error messages write it: `func(string) string`. */
  readonly typeName: string
  readonly function: TemplateFunction
}

/** Methods by name: each is bound to its value when it is called. */
export type Methods<Receiver> = ReadonlyMap<string, (receiver: Receiver) => TemplateFunction>

/** A function that templates may call. Made by the functions of `make-function.ts`. */
export interface TemplateFunction {
  /** The types of its parameters, without the variadic one. */
  readonly parameters: readonly ParameterType[]
  /** The type of each further argument, of which there may be any number. */
  readonly variadic?: ParameterType
  /** The function is `and` or `or`: it answers the first argument of this truth, and no further one is worked out. */
  readonly stopsAt?: boolean
  /**
   * Called with arguments that were checked against the parameters.
   *
   * @throws {GatehouseError} any: the run fails with `error calling NAME: MESSAGE`.
   */
  readonly call: (args: readonly Value[], run: Run) => Value
}

/** Functions by name. */
export type Functions = ReadonlyMap<string, TemplateFunction>

/** The type of a parameter: which values it takes, and which constants. */
export interface ParameterType<T extends Value = Value> {
  /** As error messages write it: `string`, `time.Duration`. */
  readonly name: string
  /** What sort of constant may stand for it, as error messages name it. */
  readonly constant?: 'bool' | 'string' | 'integer' | 'float' | 'any'
  /** What a whole number constant becomes, where that is no plain number. */
  readonly fromInteger?: (value: bigint) => T
  /** What nil becomes, where it may stand for it. */
  readonly nil?: T
  readonly accepts: (value: Value) => value is T
}

/** What a function may ask of the run that calls it, so that no template costs without bound. */
export interface Run {
  /**
   * Counts work: one step is about what one action costs.
   *
   * @throws {GatehouseError} `TemplateLimit` when there was too much of it.
   */
  spend(steps: number): void
  /**
   * Checks the length of a text, in UTF-16 units, before it is made.
   *
   * @throws {GatehouseError} `TemplateLimit` when it is too long.
   */
  checkLength(length: number): void
  /**
   * Checks how deep a value is nested, before it is looked into further.
   *
   * @throws {GatehouseError} `TemplateLimit` when it is too deep.
   */
  checkDepth(depth: number): void
}
