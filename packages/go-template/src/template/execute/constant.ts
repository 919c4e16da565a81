import { formatNode } from '../format-node.ts'
import { float } from '../make-value.ts'
import type { NumberNode, OperandNode } from '../node.ts'
import type { ParameterType, Value } from '../value.ts'
import type { RunState } from './run-state.ts'

/** The value of a number constant where any type is allowed. */
export function numberValue(state: RunState, node: NumberNode): Value {
  if (isFloatText(node.text)) {
    return Number.isSafeInteger(node.float) ? float(node.float) : node.float
  }
  return node.integer === undefined ? state.fail(`${node.text} overflows int`) : toInt(node.integer)
}

/** `1e3` and `1.0` are floats, although they are whole numbers. */
function isFloatText(text: string): boolean {
  if (text.startsWith("'")) return false
  return /^0[xX]/.test(text) ? /[pP]/.test(text) : /[.eEpP]/.test(text)
}

function toInt(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The value of a constant passed for a parameter. */
export function constantArgument(
  state: RunState,
  type: ParameterType | undefined,
  node: OperandNode,
): Value {
  switch (type?.constant) {
    case 'bool':
      if (node.kind === 'bool') return node.value
      break
    case 'string':
      if (node.kind === 'string') return node.text
      break
    case 'integer':
      if (node.kind === 'number' && node.integer !== undefined) {
        return type.fromInteger?.(node.integer) ?? toInt(node.integer)
      }
      break
    case 'float':
      if (node.kind === 'number') return float(node.float)
      break
    case 'any':
      if (node.kind === 'number') return numberValue(state, node)
      if (node.kind === 'bool') return node.value
      if (node.kind === 'string') return node.text
      return state.fail(
        `can't handle assignment of ${formatNode(node)} to empty interface argument`,
      )
    default:
      return state.fail(`can't handle ${formatNode(node)} for arg of type ${type?.name ?? ''}`)
  }
  return state.fail(`expected ${type.constant}; found ${formatNode(node)}`)
}
