import { foldColumn, isSimpleYamlKey, writeYamlScalar } from './text-scalar.ts'

/** A value to be written as YAML. The entries of a map are written in its order. */
export type YamlValue = string | number | bigint | boolean | null | YamlList | YamlMap | YamlFlow
/** A YAML sequence. */
export type YamlList = readonly YamlValue[]
/** A YAML mapping. */
export type YamlMap = ReadonlyMap<string, YamlValue>
/** A map value whose list or mapping is written on one line, in brackets. */
export interface YamlFlow {
  readonly flow: string | YamlList | YamlMap
}

/**
 * Formats a mapping as a YAML document, in the layout of Go's `yaml.v2`: two blanks a level, lists not indented, lines folded at
 * 80 columns. The text parses back to the same values.
 */
export function writeYaml(document: YamlMap): string {
  if (document.size === 0) return '{}\n'
  const writer: Writer = { pieces: [], column: 0, atLineStart: true, flow: false }
  writeBlockMap(writer, document, 0, true)
  newLine(writer, 0)
  return writer.pieces.join('')
}

interface Writer {
  readonly pieces: string[]
  column: number
  atLineStart: boolean
  /**
   * Whether the next list or mapping is written on one line. As in the reference, the mark may have been set for a scalar. Then
   * it applies to the next list element.
   */
  flow: boolean
}

function isFlow(value: YamlValue): value is YamlFlow {
  return typeof value === 'object' && value !== null && 'flow' in value
}

function isList(value: YamlValue): value is YamlList {
  return Array.isArray(value)
}

function isMap(value: YamlValue): value is YamlMap {
  return value instanceof Map
}

function put(writer: Writer, text: string): void {
  if (text === '') return
  writer.pieces.push(text)
  writer.atLineStart = text.endsWith('\n')
  const lineBreak = text.lastIndexOf('\n')
  const added = [...text.slice(lineBreak + 1)].length
  writer.column = lineBreak < 0 ? writer.column + added : added
}

function newLine(writer: Writer, indent: number): void {
  if (!writer.atLineStart) put(writer, '\n')
  put(writer, ' '.repeat(indent))
}

function takeFlow(writer: Writer): boolean {
  const { flow } = writer
  writer.flow = false
  return flow
}

function putScalar(writer: Writer, value: YamlValue, indent: number, inFlow: boolean): void {
  const { column } = writer
  if (typeof value !== 'string') put(writer, String(value))
  else put(writer, writeYamlScalar(value, { column, indent, inFlow, isKey: false }))
}

/** The value of an entry. Marks whether it goes on one line. */
function entryValue(writer: Writer, value: YamlValue): YamlValue {
  writer.flow = isFlow(value)
  return isFlow(value) ? value.flow : value
}

function writeBlockMap(writer: Writer, map: YamlMap, indent: number, isInline: boolean): void {
  let onLine = isInline
  for (const [key, given] of map) {
    if (!onLine) newLine(writer, indent)
    onLine = false
    const { column } = writer
    const isSimple = isSimpleYamlKey(key)
    const keyText = writeYamlScalar(key, {
      column,
      indent: indent + 2,
      inFlow: false,
      isKey: isSimple,
    })
    if (isSimple) put(writer, `${keyText}:`)
    else {
      put(writer, `? ${keyText}`)
      newLine(writer, indent)
      put(writer, ':')
    }
    writeBlockValue(writer, entryValue(writer, given), indent, 'entry')
  }
}

/** Writes the text after `key:` or `-`, which is at the column `indent`. */
function writeBlockValue(
  writer: Writer,
  value: YamlValue,
  indent: number,
  parent: 'entry' | 'item',
): void {
  const isCollection = isList(value) || isMap(value)
  const isEmpty = (isList(value) && value.length === 0) || (isMap(value) && value.size === 0)
  if (isCollection && (takeFlow(writer) || isEmpty)) {
    writeFlow(writer, value, indent + 2, ' ')
    return
  }
  if (!isCollection || parent === 'item') put(writer, ' ')
  if (isList(value)) {
    const isItem = parent === 'item'
    writeBlockList(writer, value, isItem ? indent + 2 : indent, isItem)
  } else if (isMap(value)) {
    writeBlockMap(writer, value, indent + 2, parent === 'item')
  } else putScalar(writer, value, indent + 2, false)
}

function writeBlockList(writer: Writer, list: YamlList, indent: number, isInline: boolean): void {
  for (const [index, item] of list.entries()) {
    if (!isInline || index > 0) newLine(writer, indent)
    put(writer, '-')
    writeBlockValue(writer, item, indent, 'item')
  }
}

/** Writes a value on one line. `before` separates it from the text before it. */
function writeFlow(writer: Writer, value: YamlValue, indent: number, before: string): void {
  if (isList(value)) {
    put(writer, `${before}[`)
    for (const [index, item] of value.entries()) {
      writeFlowItem(writer, item, indent, separate(writer, index, indent))
    }
    put(writer, ']')
  } else if (isMap(value)) {
    put(writer, `${before}{`)
    for (const [index, [key, given]] of [...value].entries()) {
      const isSimple = isSimpleYamlKey(key)
      put(writer, separate(writer, index, indent) + (isSimple ? '' : '? '))
      const place = { column: writer.column, indent: indent + 2, inFlow: true, isKey: isSimple }
      put(writer, `${writeYamlScalar(key, place)}:`)
      writeFlowItem(writer, entryValue(writer, given), indent, ' ')
    }
    put(writer, '}')
  } else {
    put(writer, before)
    putScalar(writer, value, indent, true)
  }
}

function writeFlowItem(writer: Writer, value: YamlValue, indent: number, before: string): void {
  if (isList(value) || isMap(value)) takeFlow(writer)
  writeFlow(writer, value, indent + 2, before)
}

/** Ends the previous item, and begins a new line if the current one is full. Returns the blank that is still missing. */
function separate(writer: Writer, index: number, indent: number): string {
  if (index > 0) put(writer, ',')
  if (writer.column > foldColumn) {
    newLine(writer, indent)
    return ''
  }
  return index > 0 ? ' ' : ''
}
