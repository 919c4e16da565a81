import { goQuote } from '../../text/quote.ts'
import { templateExecution, templateLimit } from '../errors.ts'
import { formatNode } from '../format-node.ts'
import type { TemplateLimits } from '../limits.ts'
import type { Node, Template, Templates } from '../node.ts'
import { formatPlace } from '../source-place.ts'
import type { Functions, Run, Value } from '../value.ts'

/** The result of a missing map key: no value, the zero value of the map's elements, or an error. */
export type MissingKey = 'default' | 'zero' | 'error'

/** The settings of a run. */
export interface RunSettings {
  readonly templates: Templates
  readonly functions: Functions
  readonly missingKey: MissingKey
  readonly limits: TemplateLimits
}

/** A value; `undefined` if there is no value at all, as for a missing key. */
export type Result = Value | undefined

interface Variable {
  readonly name: string
  value: Result
}

/** The greatest nesting depth of values that are traversed. */
const deepestValue = 100

/** The longest part of a template that an error message quotes. */
const maxContextLength = 1_000

/** The state of a running template: its position, variables, cost and output. */
export class RunState implements Run {
  readonly settings: RunSettings
  /** The current template. */
  template: Template
  /** The node that errors point at. */
  at: Node
  #variables: Variable[]
  #depth = 0
  #steps = 0
  #output = ''

  constructor(settings: RunSettings, template: Template, data: Result) {
    this.settings = settings
    this.template = template
    this.at = template.root
    this.#variables = [{ name: '$', value: data }]
  }

  /** The output so far. */
  get output(): string {
    return this.#output
  }

  write(text: string): void {
    this.#output += text
    if (this.#output.length > this.settings.limits.maxOutput) this.checkLength(this.#output.length)
  }

  spend(steps: number): void {
    this.#steps += steps
    const { maxSteps } = this.settings.limits
    if (this.#steps > maxSteps)
      throw this.#limitError(`exceeded maximum number of steps (${maxSteps})`)
  }

  checkLength(length: number): void {
    const { maxOutput } = this.settings.limits
    if (length > maxOutput) throw this.#limitError(`exceeded maximum text length (${maxOutput})`)
  }

  checkDepth(depth: number): void {
    if (depth > deepestValue)
      throw this.#limitError(`exceeded maximum value depth (${deepestValue})`)
  }

  /** Goes one level deeper; {@link ascend} goes back. */
  descend(): void {
    this.#depth += 1
    const { maxDepth } = this.settings.limits
    if (this.#depth > maxDepth) {
      throw this.#limitError(`exceeded maximum template depth (${maxDepth})`)
    }
  }

  ascend(): void {
    this.#depth -= 1
  }

  /** Runs another template, which sees only its own variables. */
  enter(template: Template, data: Result, run: () => void): void {
    const { template: outerTemplate, at } = this
    const outerVariables = this.#variables
    this.template = template
    this.#variables = [{ name: '$', value: data }]
    run()
    this.template = outerTemplate
    this.at = at
    this.#variables = outerVariables
  }

  /** The number of variables. {@link leave} removes those declared later. */
  mark(): number {
    return this.#variables.length
  }

  leave(mark: number): void {
    if (this.#variables.length > mark) this.#variables.length = mark
  }

  declare(name: string, value: Result): void {
    this.#variables.push({ name, value })
  }

  /** Sets the variable that was declared `back` declarations ago; 1 is the latest. */
  setRecent(back: number, value: Result): void {
    const variable = this.#variables.at(-back)
    if (variable !== undefined) variable.value = value
  }

  set(name: string, value: Result): void {
    this.#find(name).value = value
  }

  get(name: string): Result {
    return this.#find(name).value
  }

  #find(name: string): Variable {
    const variables = this.#variables
    for (let i = variables.length - 1; i >= 0; i--) {
      const variable = variables[i]
      if (variable?.name !== name) continue
      // Charge templates with very many variables for the search.
      this.spend((variables.length - i) >> 5)
      return variable
    }
    return this.fail(`undefined variable: ${name}`)
  }

  /** Ends the run with an error at the current position. */
  fail(message: string, cause?: unknown): never {
    throw templateExecution(this.#locate(message), cause)
  }

  #limitError(message: string): Error {
    return templateLimit(this.#locate(message))
  }

  #locate(message: string): string {
    const { source, name } = this.template
    const context = formatNode(this.at)
    const quoted =
      context.length > maxContextLength ? `${context.slice(0, maxContextLength)}...` : context
    const place = formatPlace(source, this.at.pos)
    return `template: ${place}: executing ${goQuote(name)} at <${quoted}>: ${message}`
  }
}
