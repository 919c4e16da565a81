import { goQuote } from '../text/quote.ts'
import type { Node, PipeNode } from './node.ts'

/**
 * Formats a node as template text, as error messages quote it.
 *
 * @see https://pkg.go.dev/text/template/parse#Node
 */
export function formatNode(node: Node): string {
  switch (node.kind) {
    case 'list':
      return node.nodes.map(formatNode).join('')
    case 'text':
      return node.text
    case 'action':
      return `{{${formatNode(node.pipe)}}}`
    case 'if':
    case 'range':
    case 'with': {
      const elsePart = node.elseList === undefined ? '' : `{{else}}${formatNode(node.elseList)}`
      return `{{${node.kind} ${formatNode(node.pipe)}}}${formatNode(node.list)}${elsePart}{{end}}`
    }
    case 'template':
      return `{{template ${goQuote(node.name)}${node.pipe === undefined ? '' : ` ${formatNode(node.pipe)}`}}}`
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`
    case 'pipe':
      return formatPipe(node)
    case 'command':
      return node.operands.map(formatOperand).join(' ')
    case 'identifier':
      return node.name
    case 'field':
      return formatFields(node.fields)
    case 'variable':
      return node.name + formatFields(node.fields)
    case 'chain':
      return formatOperand(node.operand) + formatFields(node.fields)
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'bool':
      return String(node.value)
    case 'number':
      return node.text
    case 'string':
      return node.quoted
  }
}

function formatPipe({ variables, isAssign, commands }: PipeNode): string {
  const names = variables.map(formatNode).join(', ')
  const sign = isAssign ? ' = ' : ' := '
  return (names === '' ? '' : names + sign) + commands.map(formatNode).join(' | ')
}

function formatOperand(node: Node): string {
  return node.kind === 'pipe' ? `(${formatNode(node)})` : formatNode(node)
}

function formatFields(fields: readonly string[]): string {
  return fields.map((field) => `.${field}`).join('')
}
