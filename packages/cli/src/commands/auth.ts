import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { SampleOptions } from '@gatehouse/core/auth'
import { Command } from 'commander'
import { type PreviewFile, previewFiles } from '../auth/preview-files.ts'
import { createReadFiles } from '../config/read-files.ts'
import { portFlag } from '../flags/api-flags.ts'
import { makeFolder } from '../make-folder.ts'
import { runCommand } from '../run-command.ts'

interface PreviewFlags {
  readonly config?: string
  readonly out?: string
  readonly port: number
}

/** `gatehouse auth`: about sign-in. */
export function authCommand(): Command {
  const preview = new Command('preview').description(
    'Show all mails and SMS in all languages in a browser, with the texts and the look of a file of `gatehouse api`.',
  )
  preview
    .option('--config <file>', 'the file, in YAML or JSON (default: the built-in texts and look)')
    .option('--out <folder>', 'write the pages to this folder in place of serving them')
    .option(
      '--port <number>',
      'serve at this port of 127.0.0.1 (default: any free one)',
      portFlag,
      0,
    )
    .action(() => runCommand(() => showPreview(preview.opts<PreviewFlags>())))
  return new Command('auth').description('Look at what people get to see.').addCommand(preview)
}

async function showPreview({ config, out, port }: PreviewFlags): Promise<number> {
  const files = previewFiles(config === undefined ? {} : await lookOf(config))
  if (out === undefined) return servePreview(files, port)
  makeFolder(out)
  for (const [path, { text }] of files) writeFileSync(join(out, path), text)
  console.log(`open ${join(out, 'index.html')}`)
  return 0
}

async function lookOf(config: string): Promise<SampleOptions> {
  const { loadApi } = await import('../api/load-api.ts')
  const { auth } = await loadApi(config, createReadFiles())
  if (auth === undefined) throw new Error(`${config}: has no section auth`)
  const { messages, pages } = auth.settings
  const { logo, accent, onAccent } = pages?.theme ?? {}
  return { messages, brand: { name: pages?.name, logo, accent, onAccent } }
}

/** Serves until the program is ended. */
function servePreview(files: ReadonlyMap<string, PreviewFile>, port: number): Promise<number> {
  const server = createServer(({ method = '', url = '/', headers }, response) => {
    const path = url.replace(/^\//, '').replace(/\?.*$/s, '')
    const file = files.get(path === '' ? 'index.html' : path)
    // Another site that gives its name this address must not read along.
    const isHere = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '')
    if (file === undefined || !isHere || !/^(?:GET|HEAD)$/.test(method)) {
      response.writeHead(isHere ? 404 : 403).end()
      return
    }
    response.writeHead(200, {
      'content-type': `${file.type}; charset=utf-8`,
      'content-security-policy': file.policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    response.end(method === 'HEAD' ? undefined : file.text)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        server.close(() => resolve(0))
        server.closeAllConnections()
      })
    }
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const bound = typeof address === 'object' ? address?.port : port
      console.log(`mails and SMS are at http://127.0.0.1:${bound}/ until you stop it (Ctrl-C)`)
    })
  })
}
