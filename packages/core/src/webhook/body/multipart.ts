import type { BusboyConstructor, BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { commonExports } from '../../optional-package.ts'
import { invalidRequest, webhookError } from '../errors.ts'
import type { FormRules } from '../webhook.ts'
import { type FormField, formData } from './form.ts'
import { GatheredBytes } from './gathered-bytes.ts'
import type { JsonText } from './json-text.ts'

/** A decoded form of several parts. */
export interface MultipartForm {
  readonly data: JsonText
  /** The first file of each name. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** The most parts of a form, and the most files among them. */
const maxParts = 1_000
const maxFiles = 100
/** The longest name of a part and of its file, in bytes. */
const maxNameBytes = 1_024
/** The longest header of a part, in bytes; the most headers. */
const maxHeaderBytes = 8_192
const maxHeaders = 20
/** The body goes to the parser in pieces of this length, so that other requests are answered in between. */
const pieceBytes = 64 * 1_024

const invalid = (problem: string): Error => invalidRequest([{ path: '', problem }])

const isLong = (name: string | undefined): boolean => Buffer.byteLength(name ?? '') > maxNameBytes

/** The facts of a file, which stand in the data in its place. */
const factsOf = (filename: string, type: string, size: number): ReadonlyMap<string, string> =>
  new Map([
    ['filename', filename],
    ['type', type],
    ['size', String(size)],
  ])

/**
 * Decodes a body of the type `multipart/form-data`. A text becomes a field; of a file, the data have `filename`, `type` and `size`,
 * and its content is apart. The name of a file is cut to what follows its last slash.
 *
 * @param contentType the header with the boundary.
 * @throws {GatehouseError} `body_too_large` for too many parts, files or too long names; `invalid_request` if the body breaks off or
 * has a part without a name; otherwise as {@link formData}.
 * @see RFC 7578
 */
export async function decodeMultipart(
  bytes: Uint8Array,
  contentType: string,
  { rules, maxDepth }: { readonly rules: FormRules; readonly maxDepth: number },
): Promise<MultipartForm> {
  const { Busboy } = commonExports(await import('@fastify/busboy'), 'Busboy')
  const parser = parserOf(Busboy, contentType, bytes.length)
  const fields: FormField[] = []
  const files = new Map<string, Uint8Array>()
  await new Promise<void>((resolve, reject) => {
    const onField = (name: string | undefined, value: string): void => {
      const problem = nameProblem(name, name)
      if (problem === undefined) fields.push([name ?? '', value])
      else reject(problem)
    }
    const onFile = (
      name: string | undefined,
      stream: BusboyFileStream,
      filename = '',
      _encoding = '',
      type = '',
    ): void => {
      const problem = nameProblem(name, filename) ?? nameProblem(name, type)
      if (problem !== undefined) reject(problem)
      stream.on('error', () => reject(brokenOff()))
      const content = new GatheredBytes()
      const at = fields.push([name ?? '', '']) - 1
      stream.on('data', (piece: Uint8Array) => content.add(piece))
      stream.on('end', () => {
        fields[at] = [name ?? '', factsOf(filename, type, content.length)]
        if (!files.has(name ?? '')) files.set(name ?? '', content.whole())
      })
    }
    parser.on('field', onField).on('file', onFile)
    parser.on('partsLimit', () => reject(tooMany(`${maxParts} parts`)))
    parser.on('filesLimit', () => reject(tooMany(`${maxFiles} files`)))
    parser.on('error', () => reject(brokenOff()))
    parser.on('finish', resolve)
    feed(parser, bytes)
  })
  return { data: formData(fields, rules, maxDepth), files }
}

/** Why a part must not have this name, or its file these facts. */
function nameProblem(name: string | undefined, fact: string | undefined): Error | undefined {
  if (name === undefined) return invalid('a part of the form has no name')
  return isLong(name) || isLong(fact) ? tooLong() : undefined
}

function parserOf(Parser: BusboyConstructor, contentType: string, size: number): BusboyInstance {
  try {
    const limits = {
      parts: maxParts,
      files: maxFiles,
      // The body has a limit already; the default would cut a field without a sign.
      fieldSize: size,
      headerPairs: maxHeaders,
      headerSize: maxHeaderBytes,
    }
    return new Parser({ headers: { 'content-type': contentType }, limits })
  } catch {
    throw invalid('the type of the body has no boundary')
  }
}

/** Passes the body on as fast as the parser takes it. After an error it takes no more. */
function feed(parser: BusboyInstance, bytes: Uint8Array): void {
  const next = (at: number): void => {
    if (at >= bytes.length) parser.end()
    else {
      const piece = Buffer.from(
        bytes.buffer,
        bytes.byteOffset + at,
        Math.min(pieceBytes, bytes.length - at),
      )
      parser.write(piece, () => setImmediate(next, at + pieceBytes))
    }
  }
  next(0)
}

const brokenOff = (): Error => invalid('the form breaks off, or is not multipart/form-data')

const tooMany = (most: string): Error =>
  webhookError('body_too_large', `the form has more than ${most}`)

const tooLong = (): Error =>
  webhookError('body_too_large', `the form has a name of more than ${maxNameBytes} bytes`)
