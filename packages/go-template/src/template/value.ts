/**
 * A value in a template. Plain values stand for Go's plain types:
 *
 * - `null` is `nil`, a string is a `string` (its length counts UTF-8 bytes), a boolean is a `bool`;
 * - a whole number within ±2^53 and every `bigint` is an `int`, any other number a `float64`;
 * - an array is an `[]interface {}`, a `Map` a `map[string]interface {}`.
 *
 * All other values carry their type. Properties of a JavaScript object cannot be reached by name: a template sees only the
 * entries of maps, the fields of structs and the methods that the program provides.
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

/** A number of a specific type, such as `float64` for 1.0. Created by `float()` and other functions of `make-value.ts`. */
export interface GoNumber {
  readonly kind: 'number'
  readonly type: NumberType
  readonly value: number | bigint
}

/** The types of {@link GoNumber}. */
export type NumberType = 'float64' | 'int32' | 'int64' | 'uint8' | 'uint64'

/** A text of a named type, such as `template.HTML` for content that the HTML engine need not escape. */
export interface GoText {
  readonly kind: 'text'
  /** As shown in error messages. */
  readonly typeName: string
  readonly text: string
}

/** A list of a named type. */
export interface GoList {
  readonly kind: 'list'
  readonly type: ListType
  readonly items: readonly Value[]
}

/** The type of a {@link GoList}. */
export interface ListType {
  /** As shown in error messages: `template.Alerts`, `[]string`. */
  readonly name: string
  /** The type of its elements: `template.Alert`, `string`. */
  readonly element: string
  readonly methods?: Methods<GoList>
  /** Formats it for printing (default `[a b]`). */
  readonly toText?: (list: GoList) => string
}

/** A map of a named type. Its keys are visited in the order of their UTF-8 bytes, whatever their order in the map. */
export interface GoMap {
  readonly kind: 'map'
  readonly type: MapType
  readonly entries: ReadonlyMap<string, Value>
}

/** The type of a {@link GoMap}. */
export interface MapType {
  /** As shown in error messages: `template.KV`, `map[string]string`. */
  readonly name: string
  /** The type of its elements: `string`. */
  readonly element: string
  /** The value of a missing key: the empty text for texts. */
  readonly zero: Value
  readonly methods?: Methods<GoMap>
  /** Formats it for printing (default `map[a:b]`). */
  readonly toText?: (map: GoMap) => string
}

/** A value with named fields. */
export interface GoStruct {
  readonly kind: 'struct'
  readonly type: StructType
  /** In printing order. */
  readonly fields: ReadonlyMap<string, Value>
}

/** The type of a {@link GoStruct}. */
export interface StructType {
  /** As shown in error messages: `template.Data`. */
  readonly name: string
  /** The JSON names of fields, where they differ. */
  readonly jsonNames?: ReadonlyMap<string, string>
  readonly methods?: Methods<GoStruct>
  /** Formats it for printing (default `{a b}`). */
  readonly toText?: (struct: GoStruct) => string
}

/**
 * A value with its own behaviour, such as a time or a duration. It is printed as text. If it is also a whole number, it can be
 * compared and formatted as one.
 */
export interface GoObject {
  readonly kind: 'object'
  /** As shown in error messages: `time.Time`. */
  readonly typeName: string
  /** The underlying number, for durations (nanoseconds) and months. */
  readonly integer?: number | bigint
  /** The method with this name, bound to this value. */
  method(name: string): TemplateFunction | undefined
  /** Formats it for printing. */
  toText(): string
  /** Formats it for `%#v`. */
  toGoSyntax(): string
  /** Formats it as JSON. */
  toJson(): string
  /** Whether `eq` treats it as equal to another value of its type. */
  equals(other: GoObject): boolean
}

/** A function as a value, for `call`. */
export interface GoFunction {
  readonly kind: 'function'
  /** As shown in error messages: `func(string) string`. */
  readonly typeName: string
  readonly function: TemplateFunction
}

/** Methods by name. Each is bound to its value when it is called. */
export type Methods<Receiver> = ReadonlyMap<string, (receiver: Receiver) => TemplateFunction>

/** A function that templates may call. Created by the functions of `make-function.ts`. */
export interface TemplateFunction {
  /** The types of its parameters, without the variadic one. */
  readonly parameters: readonly ParameterType[]
  /** The type of any further arguments. */
  readonly variadic?: ParameterType
  /** Set for `and` and `or`: returns the first argument with this truth value, without evaluating later ones. */
  readonly stopsAt?: boolean
  /**
   * Called with arguments that were checked against the parameters.
   *
   * @throws {GoError} any: the run fails with `error calling NAME: MESSAGE`.
   */
  readonly call: (args: readonly Value[], run: Run) => Value
}

/** Functions by name. */
export type Functions = ReadonlyMap<string, TemplateFunction>

/** The type of a parameter: the values and constants it accepts. */
export interface ParameterType<T extends Value = Value> {
  /** As shown in error messages: `string`, `time.Duration`. */
  readonly name: string
  /** The kind of constants it accepts, as shown in error messages. */
  readonly constant?: 'bool' | 'string' | 'integer' | 'float' | 'any'
  /** Converts a whole number constant, if it is not a plain number. */
  readonly fromInteger?: (value: bigint) => T
  /** The value for nil, if nil is accepted. */
  readonly nil?: T
  readonly accepts: (value: Value) => value is T
}

/** Lets a function charge its costs to the current run, so that the cost of every template is limited. */
export interface Run {
  /**
   * Counts work. One step is about the cost of one action.
   *
   * @throws {GoError} `TemplateLimit` above the limit.
   */
  spend(steps: number): void
  /**
   * Checks the length of a text, in UTF-16 units, before it is created.
   *
   * @throws {GoError} `TemplateLimit` above the limit.
   */
  checkLength(length: number): void
  /**
   * Checks the nesting depth of a value before going deeper.
   *
   * @throws {GoError} `TemplateLimit` above the limit.
   */
  checkDepth(depth: number): void
}
