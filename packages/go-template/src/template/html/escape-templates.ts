import { goQuote } from '../../text/quote.ts'
import { templateLimit } from '../errors.ts'
import type {
  IfNode,
  ListNode,
  RangeNode,
  StatementNode,
  Template,
  Templates,
  WithNode,
} from '../node.ts'
import {
  type Context,
  deadContext,
  formatContext,
  isSameContext,
  nameInContext,
  textContext,
} from './context.ts'
import { escapeAction } from './escape-action.ts'
import { escapeText } from './escape-text.ts'
import { joinContexts } from './join-contexts.ts'
import { EscapeProblem, type Place, templateUnsafe } from './problem.ts'

/**
 * Rewrites a template and the templates it calls so that the output always has the structure that the author wrote. Every action
 * escapes its value for its context in the HTML. A template that is called in several contexts is copied for each.
 *
 * @throws {GoError} `TemplateUnsafe` if that is impossible, with Go's text.
 * @throws {GoError} `TemplateLimit` if it is too much work.
 * @see https://pkg.go.dev/html/template
 */
export function escapeTemplates(templates: Templates, name: string): Templates {
  try {
    return new TemplateEscaper(templates).escape(name)
  } catch (error) {
    if (error instanceof EscapeProblem) throw templateUnsafe(name, error)
    throw error
  }
}

/** The greatest nesting of branches and calls. */
const maxDepth = 400

/** The most characters to read. A node counts as a hundred, and counts again when it is read again. */
const maxWork = 20_000_000

/** How often a recursive template is read to find the context in which it ends. */
const maxAttempts = 4

/** The result of escaping a node or a list of nodes. */
interface Escaped<Part> {
  readonly context: Context
  readonly part: Part
}

/** An exit from the body of a `range`. */
interface RangeExit {
  readonly kind: 'break' | 'continue'
  readonly context: Context
  readonly place: Place
}

/** The body of a `range` and its exits. */
interface RangeBody extends Escaped<ListNode> {
  readonly exits: readonly RangeExit[]
}

/** The assumption about a template in a context while its own text is read. */
interface Reading {
  /** The context in which it is assumed to end. */
  readonly output: Context
  isRecursive: boolean
}

/** Escapes templates that call each other. Does not modify nodes. */
class TemplateEscaper {
  readonly #templates: Templates
  /** The escaped templates, by name and context. */
  readonly #escaped = new Map<string, Escaped<Template>>()
  readonly #reading = new Map<string, Reading>()
  #exits: RangeExit[] = []
  #depth = 0
  #work = 0

  constructor(templates: Templates) {
    this.#templates = templates
  }

  escape(name: string): Templates {
    const { context } = this.#template(textContext, name, undefined)
    if (context.state !== 'stateText') {
      throw new EscapeProblem(`ends in a non-text context: ${formatContext(context)}`)
    }
    return new Map(Array.from(this.#escaped, ([key, { part }]) => [key, part]))
  }

  /** Escapes a template for the context of a call at `place`. */
  #template(context: Context, name: string, place: Place | undefined): Escaped<string> {
    const part = nameInContext(name, context)
    const reading = this.#reading.get(part)
    if (reading !== undefined) {
      reading.isRecursive = true
      return { context: reading.output, part }
    }
    const known = this.#escaped.get(part)
    if (known !== undefined) return { context: known.context, part }
    const template = this.#templates.get(name)
    if (template === undefined) throw new EscapeProblem(`no such template ${goQuote(name)}`, place)
    return { context: this.#body(context, template, part), part }
  }

  /** Escapes the text of a template and returns the context after it. */
  #body(context: Context, template: Template, name: string): Context {
    // The end context of a recursive template is unknown while it is read. Usually it is the same.
    let output = context
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const escapedBefore = this.#escaped.size
      const reading: Reading = { output, isRecursive: false }
      this.#reading.set(name, reading)
      const { context: end, part: root } = this.#list(context, template.root, template)
      this.#reading.delete(name)
      if (!reading.isRecursive || isSameContext(end, output)) {
        this.#escaped.set(name, { context: end, part: { ...template, name, root } })
        return end
      }
      this.#forget(escapedBefore)
      output = end
    }
    const place = { source: template.source, pos: template.root.pos }
    throw new EscapeProblem(`cannot compute output context for template ${name}`, place)
  }

  /** Forgets the most recently escaped templates, except the first `kept`. */
  #forget(kept: number): void {
    for (const name of Array.from(this.#escaped.keys()).slice(kept)) this.#escaped.delete(name)
  }

  #list(context: Context, list: ListNode, template: Template): Escaped<ListNode> {
    this.#descend()
    const nodes: StatementNode[] = []
    let current = context
    for (const [i, node] of list.nodes.entries()) {
      const escaped = this.#statement(current, node, template)
      nodes.push(escaped.part)
      current = escaped.context
      if (current.state !== 'stateDead') continue
      // The rest never runs.
      nodes.push(...list.nodes.slice(i + 1))
      break
    }
    this.#ascend()
    return { context: current, part: { ...list, nodes } }
  }

  #statement(context: Context, node: StatementNode, template: Template): Escaped<StatementNode> {
    this.#spend(node.kind === 'text' ? node.text.length : 0)
    switch (node.kind) {
      case 'text': {
        const { text, context: end } = escapeText(context, node.text)
        return { context: end, part: text === node.text ? node : { ...node, text } }
      }
      case 'action': {
        const { node: part, context: end } = escapeAction(context, node, template.source)
        return { context: end, part }
      }
      case 'template': {
        const place = { source: template.source, pos: node.pos }
        const { context: end, part: name } = this.#template(context, node.name, place)
        return { context: end, part: { ...node, name } }
      }
      case 'break':
      case 'continue': {
        const place = { source: template.source, pos: node.pos }
        this.#exits.push({ kind: node.kind, context, place })
        return { context: deadContext, part: node }
      }
      case 'range':
        return this.#range(context, node, template)
      case 'if':
      case 'with':
        return this.#branch(context, node, template)
    }
  }

  #branch<Branch extends IfNode | WithNode>(
    context: Context,
    node: Branch,
    template: Template,
  ): Escaped<Branch> {
    const list = this.#list(context, node.list, template)
    const part = { ...node, list: list.part }
    return this.#withElse(context, { context: list.context, part }, template)
  }

  #withElse<Branch extends IfNode | WithNode | RangeNode>(
    context: Context,
    { context: end, part }: Escaped<Branch>,
    template: Template,
  ): Escaped<Branch> {
    const place = { source: template.source, pos: part.pos }
    if (part.elseList === undefined) {
      return { context: joinContexts(end, context, part.kind, place), part }
    }
    const elseList = this.#list(context, part.elseList, template)
    return {
      context: joinContexts(end, elseList.context, part.kind, place),
      part: { ...part, elseList: elseList.part },
    }
  }

  #range(context: Context, node: RangeNode, template: Template): Escaped<RangeNode> {
    const once = this.#rangeBody(context, node, template)
    let end = joinExits(once.context, once.exits)
    if (!isSameContext(end, context)) {
      const again = this.#rangeAgain(end, node, template)
      end = joinExits(again.context, again.exits)
    }
    return this.#withElse(context, { context: end, part: { ...node, list: once.part } }, template)
  }

  /** Escapes a body as on its second iteration: it must end in the same context again. */
  #rangeAgain(context: Context, node: RangeNode, template: Template): RangeBody {
    const place = { source: template.source, pos: node.pos }
    try {
      const body = this.#rangeBody(context, node, template)
      return { ...body, context: joinContexts(context, body.context, 'range', place) }
    } catch (error) {
      if (error instanceof EscapeProblem) throw error.within('on range loop re-entry', place)
      throw error
    }
  }

  #rangeBody(context: Context, node: RangeNode, template: Template): RangeBody {
    const outer = this.#exits
    const exits: RangeExit[] = []
    this.#exits = exits
    const list = this.#list(context, node.list, template)
    this.#exits = outer
    return { ...list, exits }
  }

  /** Goes one level deeper. An error need not undo this, because it ends everything. */
  #descend(): void {
    this.#depth += 1
    if (this.#depth > maxDepth) {
      throw templateLimit(`html/template: nested more than ${maxDepth} deep`)
    }
  }

  #ascend(): void {
    this.#depth -= 1
  }

  #spend(characters: number): void {
    this.#work += characters + 100
    if (this.#work > maxWork) throw templateLimit('html/template: too much to escape')
  }
}

/** The context after a body with early exits. All exits must end in the same context. */
function joinExits(end: Context, exits: readonly RangeExit[]): Context {
  let joined = end
  for (const kind of ['break', 'continue'] as const) {
    for (const { context, place } of exits.filter((exit) => exit.kind === kind)) {
      try {
        joined = joinContexts(joined, context, 'range', place)
      } catch (error) {
        if (error instanceof EscapeProblem) throw error.within(`at range loop ${kind}`, place)
        throw error
      }
    }
  }
  return joined
}
