import { goQuote } from '../../text/quote.ts'
import { sprintOne } from '../format/sprint.ts'
import { formatNode } from '../format-node.ts'
import type {
  ActionNode,
  IfNode,
  ListNode,
  RangeNode,
  StatementNode,
  Template,
  TemplateNode,
  WithNode,
} from '../node.ts'
import {
  functionOf,
  integerOf,
  isTrue,
  listOf,
  mapOf,
  sortedEntries,
  typeNameOf,
} from '../read-value.ts'
import type { Value } from '../value.ts'
import { evaluatePipe } from './evaluate.ts'
import { type Result, type RunSettings, RunState } from './run-state.ts'

/** How a list ended early. */
type Jump = 'break' | 'continue' | undefined

/**
 * Runs a template and returns its output.
 *
 * @throws {GoError} `TemplateExecution`, with Go's text; `TemplateLimit`.
 * @see https://pkg.go.dev/text/template#Template.Execute
 */
export function execute(settings: RunSettings, template: Template, data: Value): string {
  const state = new RunState(settings, template, data ?? undefined)
  runList(state, data ?? undefined, template.root)
  return state.output
}

function runList(state: RunState, dot: Result, list: ListNode): Jump {
  state.descend()
  for (const node of list.nodes) {
    const jump = runStatement(state, dot, node)
    if (jump !== undefined) {
      state.ascend()
      return jump
    }
  }
  state.ascend()
  return undefined
}

function runStatement(state: RunState, dot: Result, node: StatementNode): Jump {
  state.at = node
  state.spend(1)
  switch (node.kind) {
    case 'text':
      state.write(node.text)
      return undefined
    case 'action':
      runAction(state, dot, node)
      return undefined
    case 'if':
    case 'with':
      return runBranch(state, dot, node)
    case 'range':
      return runRange(state, dot, node)
    case 'template':
      callTemplate(state, dot, node)
      return undefined
    case 'break':
    case 'continue':
      return node.kind
  }
}

function runAction(state: RunState, dot: Result, node: ActionNode): void {
  const value = evaluatePipe(state, dot, node.pipe)
  if (node.pipe.variables.length > 0) return
  state.at = node
  if (value === undefined) state.write('<no value>')
  else if (typeof value === 'string') state.write(value)
  else state.write(printed(state, node, value))
}

function printed(state: RunState, node: ActionNode, value: Value): string {
  if (functionOf(value) !== undefined) {
    return state.fail(`can't print ${formatNode(node)} of type ${typeNameOf(value)}`)
  }
  return sprintOne(state, value)
}

function runBranch(state: RunState, dot: Result, node: IfNode | WithNode): Jump {
  const mark = state.mark()
  const value = evaluatePipe(state, dot, node.pipe)
  let jump: Jump
  if (value !== undefined && isTrue(value)) {
    jump = runList(state, node.kind === 'with' ? value : dot, node.list)
  } else if (node.elseList !== undefined) {
    jump = runList(state, dot, node.elseList)
  }
  state.leave(mark)
  return jump
}

function runRange(state: RunState, dot: Result, node: RangeNode): Jump {
  const outer = state.mark()
  const value = evaluatePipe(state, dot, node.pipe)
  const mark = state.mark()
  let isEmpty = true
  for (const [key, element] of elementsOf(state, node, value)) {
    isEmpty = false
    state.spend(1)
    setRangeVariables(state, node, key, element)
    const jump = runList(state, element, node.list)
    state.leave(mark)
    if (jump === 'break') break
  }
  // A jump in an else list belongs to an enclosing range.
  const jump =
    isEmpty && node.elseList !== undefined ? runList(state, dot, node.elseList) : undefined
  state.leave(outer)
  return jump
}

/** A single variable gets the element. Of two, the first gets the key or index. */
function setRangeVariables(state: RunState, { pipe }: RangeNode, key: Value, element: Value): void {
  const [first, second] = pipe.variables
  if (first === undefined) return
  if (pipe.isAssign) {
    state.set(first.name, second === undefined ? element : key)
    if (second !== undefined) state.set(second.name, element)
    return
  }
  state.setRecent(1, element)
  if (second !== undefined) state.setRecent(2, key)
}

function elementsOf(
  state: RunState,
  { pipe }: RangeNode,
  value: Result,
): Iterable<readonly [Value, Value]> {
  if (value === undefined) return []
  const list = listOf(value)
  if (list !== undefined) return list.items.entries()
  const map = mapOf(value)
  if (map !== undefined) {
    state.spend(map.entries.size)
    return sortedEntries(map)
  }
  const count = integerOf(value)
  if (count === undefined) return state.fail(`range can't iterate over ${sprintOne(state, value)}`)
  if (pipe.variables.length > 1) {
    return state.fail(`can't use ${sprintOne(state, value)} to iterate over more than one variable`)
  }
  return numbersBelow(count)
}

function* numbersBelow(count: number | bigint): Generator<readonly [Value, Value]> {
  for (let number = 0; number < count; number++) yield [number, number]
}

function callTemplate(state: RunState, dot: Result, node: TemplateNode): void {
  const template = state.settings.templates.get(node.name)
  if (template === undefined) state.fail(`template ${goQuote(node.name)} not defined`)
  const data = node.pipe === undefined ? undefined : evaluatePipe(state, dot, node.pipe)
  state.enter(template, data, () => {
    runList(state, data, template.root)
  })
}
