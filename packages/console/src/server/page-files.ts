import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** An encoding of a file, as `Accept-Encoding` names it, and the ending of its name on the disk. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** A file of the page as it is sent. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: 'br' | 'gzip' | undefined
  /** The entity tag, quoted. */
  readonly etag: string
}

/** The built files of the page. Nothing is read before a browser asks. */
export interface PageFiles {
  /** A file below the page's folder by its name, such as `assets/index-x.js`; `undefined` if the build made no such file. */
  read(name: string, accepted: string): Promise<PageFile | undefined>
}

export function pageFiles(folder: URL): PageFiles {
  let names: Promise<ReadonlySet<string>> | undefined
  const kept = new Map<string, Promise<PageFile>>()
  const list = async (): Promise<ReadonlySet<string>> => {
    const found = await readdir(fileURLToPath(folder), { recursive: true })
    return new Set(found.map((name) => name.replaceAll('\\', '/')))
  }
  const load = async (name: string, encoding: PageFile['encoding']): Promise<PageFile> => {
    const bytes = new Uint8Array(await readFile(new URL(name, folder)))
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, encoding, etag: `"${hash.slice(0, 22)}"` }
  }
  return {
    async read(name, accepted) {
      names ??= list().catch((error: unknown) => {
        names = undefined
        throw error
      })
      const all = await names
      if (!all.has(name) || /\.(?:br|gz)$/.test(name)) return undefined
      const [encoding, ending] = encodings.find(
        ([token, suffix]) => accepts(accepted, token) && all.has(name + suffix),
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
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [token = '', weight = ''] = part.split(';').map((text) => text.trim().toLowerCase())
    return token === encoding && !/^q=0(?:\.0*)?$/.test(weight)
  })
}
