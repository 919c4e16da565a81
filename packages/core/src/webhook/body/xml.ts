import { commonExports } from '../../optional-package.ts'
import { invalidRequest, webhookError } from '../errors.ts'
import { type DataTree, objectText } from './data-tree.ts'
import { type JsonText, parseJsonText } from './json-text.ts'

/** The most elements and attributes of a document: each takes far more memory than its text. */
const maxXmlNodes = 100_000

/** The document goes to the parser in pieces, so that other requests are answered in between, and a limit is noticed early. */
const pieceLength = 64 * 1_024

interface OpenElement {
  readonly name: string
  readonly members: Map<string, DataTree[]>
  text: string
}

const invalid = (problem: string): Error => invalidRequest([{ path: '', problem }])

/** Names without their prefix, which every sender chooses differently. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function add({ members }: OpenElement, name: string, value: DataTree): void {
  const known = members.get(name)
  if (known === undefined) members.set(name, [value])
  else known.push(value)
}

/** An element with nothing but text is that text. */
function elementValue(element: OpenElement): DataTree {
  const text = element.text.trim()
  if (element.members.size === 0) return text
  if (text !== '') add(element, '#text', text)
  return membersOf(element)
}

function membersOf({ members }: OpenElement): ReadonlyMap<string, DataTree> {
  return new Map(
    Array.from(members, ([name, values]) => {
      const [only = '', ...others] = values
      return [name, others.length === 0 ? only : values] as const
    }),
  )
}

const otherRequests = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Decodes an XML document to an object with its root. Attributes begin with `-`, text beside other members is `#text`, a repeated
 * element is a list; all values are text, without the white space around it. A document with a DOCTYPE is refused, so that there
 * are no entities but the five of XML itself.
 *
 * @throws {GatehouseError} `invalid_request`; `body_too_large` if it has too many elements and attributes.
 */
export async function decodeXml(text: string, maxDepth: number): Promise<JsonText> {
  const { SaxesParser } = commonExports(await import('saxes'), 'SaxesParser')
  const parser = new SaxesParser({ position: false })
  const document: OpenElement = { name: '', members: new Map(), text: '' }
  const open: OpenElement[] = [document]
  const top = (): OpenElement => open.at(-1) ?? document
  let nodes = 0
  parser.on('doctype', () => {
    throw invalid('the XML must not have a DOCTYPE')
  })
  // The parser's own message would quote the document.
  parser.on('error', () => {
    throw invalid('the body is not well-formed XML')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const given = Object.entries(attributes)
    nodes += 1 + given.length
    if (nodes > maxXmlNodes) {
      const problem = `the XML has more than ${maxXmlNodes} elements and attributes`
      throw webhookError('body_too_large', problem)
    }
    // The data are one level above the root, and text is one below its element.
    if (open.length + 2 > maxDepth) throw invalid(`the XML is nested more than ${maxDepth} deep`)
    const element: OpenElement = { name: localName(name), members: new Map(), text: '' }
    for (const [attribute, value] of given) add(element, `-${localName(attribute)}`, value)
    open.push(element)
  })
  const addText = (piece: string): void => {
    top().text += piece
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element !== undefined) add(top(), element.name, elementValue(element))
  })
  for (let at = 0; at < text.length; at += pieceLength) {
    if (at > 0) await otherRequests()
    parser.write(text.slice(at, at + pieceLength))
  }
  parser.close()
  return parseJsonText(objectText(membersOf(document)), maxDepth, 'the XML')
}
