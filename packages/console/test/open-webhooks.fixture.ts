import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  createAlerts,
  createWebhooks,
  identifyRequests,
  startWebhooks,
  type WebhooksContext,
} from '@gatehouse/core'
import type { Authorize } from '@gatehouse/core/adapter'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { listenAgain } from '../../../test-support/listen-again.ts'
import { consoleRoutes } from '../src/index.ts'

/** A program for a command: code of Node.js, whose arguments are values of a request. */
const node = (code: string): string => `${process.execPath} -e '${code.replaceAll('\n', ' ')}' --`

/** Output that tries everything: markup, links with scripts, marks of direction, NUL, colours and a line of 100 kB. */
const hostile = `
const e = String.fromCharCode(27);
const put = (line) => process.stdout.write(line + "\\n");
put("<img src=x onerror=alert(1)><script>alert(2)</script>");
put(e + "]8;;javascript:alert(3)" + e + "\\\\click me" + e + "]8;;" + e + "\\\\");
put("abc" + String.fromCharCode(0x202e) + "gnp.exe");
put("nul:" + String.fromCharCode(0) + ":end");
put(e + "[31mred" + e + "[0m and " + e + "[1;42mgreen ground" + e + "[0m");
put("x".repeat(100000));
process.stderr.write("something went wrong\\n");
put("the last line");
`

/** Output in sections, with a line that is longer than a window and an error. */
const sections = `
const put = (line) => process.stdout.write(line + "\\n");
put("==> Install");
put("package ".repeat(60));
put("==> Test");
put("1 passed");
process.stderr.write("one was slow\\n");
put("::group::Report");
put("all is well");
put("::endgroup::");
`

/** @param warning the file whose coming makes `slow` write a warning. */
const configOf = (warning: string) => ({
  admin: { token: 'admin-token' },
  history: { output_bytes: '16MiB' },
  defaults: { output_bytes: '16MiB' },
  webhooks: [
    {
      id: 'deploy',
      token: 'token-of-deploy',
      execute_command: node(
        'console.log("deploying", process.argv[1], "to", process.env.TARGET); process.exit(process.argv[1] === "broken" ? 3 : 0)',
      ),
      workdir: '',
      command_arguments: [
        { source: 'data.image', format: 'value' as const, pattern: '[a-z0-9:]+', max_length: 40 },
        {
          source: 'query:extra',
          format: 'value' as const,
          on_missing: 'skip' as const,
          pattern: '(?i)yes',
        },
      ],
      env: { TARGET: { source: 'header:x-target', default: 'staging' } },
    },
    {
      id: 'slow',
      token: 'token-of-slow',
      // It ends when it is told so.
      execute_command: node(
        `let n = 0, warned = false;
        const say = () => {
          console.log("step", ++n);
          if (warned || !require("fs").existsSync(${JSON.stringify(warning)})) return;
          warned = true;
          console.error("a warning")
        };
        say(); setInterval(say, 50)`,
      ),
      workdir: '',
      mode: 'stream' as const,
    },
    { id: 'sections', token: 't', execute_command: node(sections), workdir: '' },
    { id: 'hostile', token: 't', execute_command: node(hostile), workdir: '' },
    {
      id: 'large',
      token: 't',
      execute_command: node(
        'for (let n = 1; n <= 100000; n++) process.stdout.write(("line " + n + " ").padEnd(104, "=") + "\\n")',
      ),
      workdir: '',
    },
    {
      id: 'push',
      signature: { scheme: 'github' as const, secret: 'secret-of-push' },
      execute_command: 'true',
      workdir: '',
    },
    {
      id: 'guarded',
      token: 't',
      execute_command: 'true',
      workdir: '',
      rules: { source: 'data.branch', equals: 'main' },
      env: { BRANCH: { source: 'data.branch', default: '' } },
    },
  ],
})

/** A server with webhooks and the console. */
export interface WebhooksServer {
  readonly webhooks: WebhooksContext
  readonly url: string
  /** Makes the run of `slow` write to stderr. */
  warn(): Promise<void>
  stop(): Promise<void>
}

/** Users by the header that the tests send: `operator` may do everything, `viewer` reads, `deployer` has one webhook. */
const authorize: Authorize = (subject, action, resource) => {
  if (subject?.id === 'operator') return true
  if (subject?.id === 'viewer') return action.endsWith(':read')
  if (subject?.id === 'deployer') return resource?.kind === 'webhook' && resource.id === 'deploy'
  return false
}

/** @param identifies whether there are users; otherwise tokens are needed. */
export async function startWebhooksServer({ identifies = true } = {}): Promise<WebhooksServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-runs-'))
  const warning = join(folder, 'warning')
  const storage = createMemoryStorage()
  const who = identifies ? { authorize } : {}
  const alerts = createAlerts({
    storage,
    config: 'route: { receiver: a }\nreceivers: [{ name: a }]\n',
    ...who,
  })
  const webhooks = createWebhooks({
    storage,
    config: configOf(warning),
    environment: { PATH: process.env.PATH },
    workdir: process.cwd(),
    ...who,
  })
  const running = startWebhooks(webhooks)
  const routes = identifyRequests([...alerts.routes, ...webhooks.routes], ({ headers }) => {
    const id = headers.get('x-user')
    return id === null ? undefined : { id, kind: 'user' }
  })
  const server = createServer(nodeAdapter([...routes, ...consoleRoutes({ alerts, webhooks })]))
  const port = await listenAgain(server)
  return {
    webhooks,
    url: `http://127.0.0.1:${port}/`,
    warn: () => writeFile(warning, ''),
    async stop() {
      await closeWebhooks(webhooks, { graceMs: 0, killGraceMs: 0 })
      await running.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await rm(folder, { recursive: true })
    },
  }
}
