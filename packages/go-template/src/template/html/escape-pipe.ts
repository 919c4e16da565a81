import type { CommandNode, IdentifierNode, PipeNode } from '../node.ts'
import type { EscaperName } from './escaper-name.ts'

/** Functions by which authors escape a value themselves, where the engine would do it. */
export type PredefinedEscaper = 'html' | 'urlquery'

/** The escapers that each of these functions replaces. */
const equivalents: Readonly<Record<PredefinedEscaper, readonly EscaperName[]>> = {
  html: [
    '_html_template_attrescaper',
    '_html_template_htmlescaper',
    '_html_template_rcdataescaper',
  ],
  urlquery: ['_html_template_urlescaper', '_html_template_urlnormalizer'],
}

/** Joins its arguments to one text, for a function that is moved after them. */
export const evalArgsName = '_eval_args_'

/** The escaping function that a command calls, if any. */
export function predefinedEscaper({
  operands: [first],
}: CommandNode): PredefinedEscaper | undefined {
  if (first.kind !== 'identifier') return undefined
  return first.name === 'html' || first.name === 'urlquery' ? first.name : undefined
}

/**
 * Appends escapers to a pipeline. A pipeline that ends with a {@link PredefinedEscaper} is not escaped twice: that function
 * replaces the equivalent escaper.
 */
export function escapePipe(pipe: PipeNode, escapers: readonly EscaperName[]): PipeNode {
  const last = pipe.commands.at(-1)
  const predefined = last === undefined ? undefined : predefinedEscaper(last)
  if (last === undefined || predefined === undefined || escapers.length === 0) {
    return withCommands(pipe, pipe.commands, escapers)
  }
  const equivalent = equivalents[predefined]
  const names = escapers.map((name) => (equivalent.includes(name) ? predefined : name))
  const isReplaced = names.includes(predefined)
  if (pipe.commands.length > 1 || last.operands.length === 1) {
    return withCommands(pipe, isReplaced ? pipe.commands.slice(0, -1) : pipe.commands, names)
  }
  // `html .A .B` becomes `_eval_args_ .A .B | html`, so that `html` can be moved.
  const joined = argumentsOf(last)
  return withCommands(pipe, [joined], isReplaced ? names : [predefined, ...names])
}

function withCommands(
  pipe: PipeNode,
  commands: readonly CommandNode[],
  names: readonly string[],
): PipeNode {
  return { ...pipe, commands: [...commands, ...names.map((name) => commandOf(name, pipe.pos))] }
}

function commandOf(name: string, pos: number): CommandNode {
  return { kind: 'command', pos, operands: [{ kind: 'identifier', pos, name }] }
}

function argumentsOf(command: CommandNode): CommandNode {
  const [first, ...rest] = command.operands
  const evalArgs: IdentifierNode = { kind: 'identifier', pos: first.pos, name: evalArgsName }
  return { ...command, operands: [evalArgs, ...rest] }
}
