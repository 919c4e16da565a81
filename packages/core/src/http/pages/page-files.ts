import { type Answer, emptyAnswer } from '../answer.ts'
import { etagOf, hasTag } from '../etag.ts'
import type { RouteRequest } from '../route.ts'

/** An encoding of a file, as `Accept-Encoding` names it, and the ending of its name. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Where the built files of a page are. */
export interface PageFolder {
  /** The names of all files, relative to the folder, such as `assets/index-x.js`. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<Uint8Array<ArrayBuffer>>
}

/** A file of a page as it is sent. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding?: 'br' | 'gzip' | undefined
}

/** The built files of a page. Nothing is read before a browser asks, and nothing twice. */
export interface PageFiles {
  /** A file by its name, in an encoding that the client accepts; `undefined` if the build made no such file. */
  read(name: string, acceptEncoding: string): Promise<PageFile | undefined>
}

/** The files of a page, beside which the build wrote `.br` and `.gz` of the same. */
export function createPageFiles(folder: PageFolder): PageFiles {
  let names: Promise<ReadonlySet<string>> | undefined
  const kept = new Map<string, Promise<PageFile>>()
  const list = async (): Promise<ReadonlySet<string>> => {
    const found = await folder.list()
    return new Set(found.map((name) => name.replaceAll('\\', '/')))
  }
  const load = async (name: string, encoding: PageFile['encoding']): Promise<PageFile> => ({
    bytes: await folder.read(name),
    encoding,
  })
  return {
    async read(name, accepted) {
      names ??= list().catch((error: unknown) => {
        names = undefined
        throw error
      })
      const all = await names
      if (!all.has(name) || /\.(?:br|gz)$/.test(name)) return undefined
      const [encoding, ending] = encodings.find(
        ([token, suffix]) => acceptsEncoding(accepted, token) && all.has(name + suffix),
      ) ?? [undefined, '']
      const path = name + ending
      const file = kept.get(path) ?? load(path, encoding)
      kept.set(path, file)
      return file.catch((error: unknown) => {
        kept.delete(path)
        throw error
      })
    },
  }
}

/** Whether a header `Accept-Encoding` allows an encoding. @see RFC 9110, section 12.5.3 */
export function acceptsEncoding(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [token = '', weight = ''] = part.split(';').map((text) => text.trim().toLowerCase())
    return token === encoding && !/^q=0(?:\.0*)?$/.test(weight)
  })
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The answer with a file, or that the client has it already; 404 without one. `headers` are those of every such answer. */
export function fileAnswer(
  request: Pick<RouteRequest, 'method' | 'headers'>,
  file: PageFile | undefined,
  { name, headers }: { readonly name: string; readonly headers: Readonly<Record<string, string>> },
): Answer {
  if (file === undefined) {
    const { 'cache-control': _of, ...others } = headers
    return emptyAnswer(404, others)
  }
  const { bytes, encoding } = file
  const etag = etagOf(bytes)
  const all = { vary: 'Accept-Encoding', ...headers, etag }
  if (hasTag(request.headers.get('if-none-match'), etag)) {
    return { status: 304, headers: all, body: null, byteLength: 0 }
  }
  const isHead = request.method === 'HEAD'
  return {
    status: 200,
    headers: {
      ...all,
      'content-type': contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      'content-length': String(bytes.byteLength),
    },
    body: isHead ? null : bytes,
    byteLength: isHead ? 0 : bytes.byteLength,
  }
}
