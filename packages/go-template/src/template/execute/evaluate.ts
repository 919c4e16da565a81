import { isExpectedError } from '../../go-error.ts'
import { goQuote } from '../../text/quote.ts'
import { formatNode } from '../format-node.ts'
import type {
  ChainNode,
  CommandNode,
  IdentifierNode,
  Node,
  OperandNode,
  PipeNode,
  VariableNode,
} from '../node.ts'
import { isTrue, mapOf, methodOf, structOf, typeNameOf } from '../read-value.ts'
import type { ParameterType, TemplateFunction, Value } from '../value.ts'
import { constantArgument, numberValue } from './constant.ts'
import type { Result, RunState } from './run-state.ts'

/** Stands for a missing final argument, when no command comes before. */
const missing: unique symbol = Symbol('missing')

/** The value of the previous command, passed as the last argument. */
type Final = Result | typeof missing

/** A function call: the node that errors quote, the nodes of the arguments, the final argument. */
interface Call {
  readonly name: string
  readonly node: Node
  readonly args: readonly OperandNode[]
  readonly final: Final
}

/** The text length that costs one step. */
const unitsPerStep = 16

/**
 * Evaluates a pipeline, and declares or sets its variables.
 *
 * @see https://pkg.go.dev/text/template#hdr-Pipelines
 */
export function evaluatePipe(state: RunState, dot: Result, pipe: PipeNode): Result {
  state.at = pipe
  state.descend()
  let value: Final = missing
  for (const command of pipe.commands) {
    // In Go an interface that holds nil counts as no value.
    value = evaluateCommand(state, dot, command, value) ?? undefined
  }
  state.ascend()
  const result = value === missing ? undefined : value
  for (const { name } of pipe.variables) {
    if (pipe.isAssign) state.set(name, result)
    else state.declare(name, result)
  }
  return result
}

function evaluateCommand(state: RunState, dot: Result, command: CommandNode, final: Final): Result {
  state.spend(1)
  const [first, ...args] = command.operands
  switch (first.kind) {
    case 'field':
      state.at = first
      return evaluateFields(state, dot, dot, first.fields, { name: '', node: first, args, final })
    case 'chain':
      return evaluateChain(state, dot, first, args, final)
    case 'identifier':
      return evaluateFunction(state, dot, first, { name: first.name, node: command, args, final })
    case 'variable':
      return evaluateVariable(state, dot, first, args, final)
    case 'pipe':
      refuseArguments(state, first, args, final)
      return evaluatePipe(state, dot, first)
    default:
      break
  }
  state.at = first
  refuseArguments(state, first, args, final)
  switch (first.kind) {
    case 'bool':
      return first.value
    case 'dot':
      return dot
    case 'nil':
      return state.fail('nil is not a command')
    case 'number':
      return numberValue(state, first)
    case 'string':
      return first.text
  }
}

function refuseArguments(
  state: RunState,
  first: OperandNode,
  args: readonly OperandNode[],
  final: Final,
): void {
  if (args.length === 0 && final === missing) return
  state.fail(`can't give argument to non-function ${formatNode(first)}`)
}

function evaluateVariable(
  state: RunState,
  dot: Result,
  node: VariableNode,
  args: readonly OperandNode[],
  final: Final,
): Result {
  state.at = node
  const value = state.get(node.name)
  if (node.fields.length === 0) {
    refuseArguments(state, node, args, final)
    return value
  }
  return evaluateFields(state, dot, value, node.fields, { name: '', node, args, final })
}

function evaluateChain(
  state: RunState,
  dot: Result,
  node: ChainNode,
  args: readonly OperandNode[],
  final: Final,
): Result {
  state.at = node
  const value = evaluateOperand(state, dot, node.operand)
  return evaluateFields(state, dot, value, node.fields, { name: '', node, args, final })
}

/** Evaluates an operand that is not a constant. */
function evaluateOperand(state: RunState, dot: Result, node: OperandNode): Result {
  state.at = node
  switch (node.kind) {
    case 'dot':
      return dot
    case 'field':
      return evaluateFields(state, dot, dot, node.fields, {
        name: '',
        node,
        args: [],
        final: missing,
      })
    case 'variable':
      return evaluateVariable(state, dot, node, [], missing)
    case 'pipe':
      return evaluatePipe(state, dot, node)
    case 'identifier':
      return evaluateFunction(state, dot, node, { name: node.name, node, args: [], final: missing })
    case 'chain':
      return evaluateChain(state, dot, node, [], missing)
    default:
      return state.fail(`can't evaluate command ${goQuote(formatNode(node))}`)
  }
}

/** Evaluates a chain of fields. Only the last one may be a method with arguments. */
function evaluateFields(
  state: RunState,
  dot: Result,
  receiver: Result,
  fields: readonly string[],
  call: Call,
): Result {
  let value = receiver
  let owner: Result
  for (const [i, name] of fields.entries()) {
    const isLast = i === fields.length - 1
    const { args, final, node } = call
    const step: Call = isLast
      ? { name, node, args, final }
      : { name, node, args: [], final: missing }
    const next = evaluateField(state, dot, value, step, owner)
    owner = value
    value = next
  }
  return value
}

function evaluateField(
  state: RunState,
  dot: Result,
  receiver: Result,
  call: Call,
  owner: Result,
): Result {
  const { name, args, final } = call
  if (receiver === undefined) {
    if (state.settings.missingKey !== 'error') return undefined
    return state.fail(`nil data; no entry for key ${goQuote(name)}`)
  }
  if (receiver === null) return state.fail(`nil pointer evaluating interface {}.${name}`)
  const method = methodOf(receiver, name)
  if (method !== undefined) return callFunction(state, dot, method, call)
  const hasArguments = args.length > 0 || final !== missing
  const field = structOf(receiver)?.fields.get(name)
  if (field !== undefined) {
    if (!hasArguments) return field
    return state.fail(`${name} has arguments but cannot be invoked as function`)
  }
  const map = mapOf(receiver)
  if (map !== undefined) {
    if (hasArguments) return state.fail(`${name} is not a method but has arguments`)
    return map.entries.get(name) ?? missingEntry(state, name, map.type.zero)
  }
  const isUntyped = owner !== undefined && mapOf(owner)?.type.element === 'interface {}'
  const type = isUntyped ? 'interface {}' : typeNameOf(receiver)
  return state.fail(`can't evaluate field ${name} in type ${type}`)
}

function missingEntry(state: RunState, name: string, zero: Value): Result {
  switch (state.settings.missingKey) {
    case 'default':
      return undefined
    case 'zero':
      return zero
    case 'error':
      return state.fail(`map has no entry for key ${goQuote(name)}`)
  }
}

function evaluateFunction(state: RunState, dot: Result, node: IdentifierNode, call: Call): Result {
  state.at = node
  const found = state.settings.functions.get(node.name)
  if (found === undefined) return state.fail(`${goQuote(node.name)} is not a defined function`)
  return callFunction(state, dot, found, call)
}

function callFunction(state: RunState, dot: Result, called: TemplateFunction, call: Call): Result {
  checkCount(state, called, call)
  if (called.stopsAt !== undefined) return evaluateUntil(state, dot, called, call)
  const { args, final } = call
  const values: Value[] = []
  let cost = 1
  for (const arg of args) {
    const value = evaluateArgument(state, dot, parameterAt(called, values.length), arg)
    if (typeof value === 'string') cost += value.length / unitsPerStep
    values.push(value)
  }
  if (final !== missing) {
    if (typeof final === 'string') cost += final.length / unitsPerStep
    values.push(checkArgument(state, parameterAt(called, values.length), final))
  }
  state.spend(cost)
  return invoke(state, called, call, values)
}

function invoke(
  state: RunState,
  called: TemplateFunction,
  { name, node }: Call,
  values: readonly Value[],
): Value {
  try {
    const value = called.call(values, state)
    if (typeof value === 'string') {
      state.checkLength(value.length)
      state.spend(value.length / unitsPerStep)
    }
    return value
  } catch (error) {
    if (!isExpectedError(error) || isRunError(error.reason)) throw error
    state.at = node
    return state.fail(`error calling ${name}: ${error.message}`, error)
  }
}

/** Whether an error already names its place. */
const isRunError = (reason: string): boolean =>
  reason === 'TemplateExecution' || reason === 'TemplateLimit'

function checkCount(
  state: RunState,
  { parameters, variadic }: TemplateFunction,
  { name, args, final }: Call,
): void {
  const count = args.length + (final === missing ? 0 : 1)
  const wanted = parameters.length
  if (variadic === undefined && count !== wanted) {
    state.fail(`wrong number of args for ${name}: want ${wanted} got ${count}`)
  }
  if (count < wanted) {
    state.fail(`wrong number of args for ${name}: want at least ${wanted} got ${args.length}`)
  }
}

function parameterAt({ parameters, variadic }: TemplateFunction, index: number): ParameterType {
  const parameter = parameters[index] ?? variadic
  if (parameter === undefined) throw new RangeError('more arguments than parameters')
  return parameter
}

/** `and` and `or`: returns the first argument that decides, without evaluating the rest. */
function evaluateUntil(
  state: RunState,
  dot: Result,
  called: TemplateFunction,
  { args, final }: Call,
): Result {
  let value: Value = null
  for (const [i, arg] of args.entries()) {
    value = evaluateArgument(state, dot, parameterAt(called, i), arg)
    if (isTrue(value) === called.stopsAt) return value
  }
  return final === missing ? value : final
}

function evaluateArgument(
  state: RunState,
  dot: Result,
  type: ParameterType,
  node: OperandNode,
): Value {
  switch (node.kind) {
    case 'bool':
    case 'number':
    case 'string':
      state.at = node
      return constantArgument(state, type, node)
    case 'nil':
      state.at = node
      return type.nil === undefined ? state.fail(`cannot assign nil to ${type.name}`) : type.nil
    default:
      return checkArgument(state, type, evaluateOperand(state, dot, node))
  }
}

function checkArgument(state: RunState, type: ParameterType, value: Result): Value {
  if (value === undefined || value === null) {
    return type.nil === undefined ? state.fail(`invalid value; expected ${type.name}`) : type.nil
  }
  if (type.accepts(value)) return value
  return state.fail(`wrong type for value; expected ${type.name}; got ${typeNameOf(value)}`)
}
