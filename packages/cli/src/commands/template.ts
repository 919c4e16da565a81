import {
  type AlertsConfigSource,
  decodeTemplateData,
  renderTemplate,
  type TemplateFacts,
} from '@gatehouse/core/alerts'
import { systemClock } from '@gatehouse/core/store'
import { Command, Option } from 'commander'
import { alertsInMemory } from '../alerts-in-memory.ts'
import { readTextFile } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { repeatedFlag } from '../flags/flags.ts'
import { runCommand } from '../run-command.ts'
import { sampleData } from '../sample-data.ts'

interface RenderFlags {
  readonly 'template.text': string
  readonly 'template.type': 'text' | 'html'
  readonly 'template.glob'?: readonly string[]
  readonly 'template.data'?: string
  readonly 'config.file'?: string
  readonly json?: boolean
}

/** `gatehouse template`: tests templates. @see amtool, `template --help` */
export function templateCommand(): Command {
  const render = new Command('render')
    .description('Render a template, as amtool does, with the built-in templates.')
    .requiredOption('--template.text <text>', 'the template')
    .option('--template.glob <glob>', 'template files it may use; may be repeated', repeatedFlag)
    .option('--config.file <file>', 'use the templates that this alertmanager.yml names')
    .addOption(
      new Option('--template.type <type>', 'escape the output as HTML')
        .choices(['text', 'html'])
        .default('text'),
    )
    .option(
      '--template.data <file>',
      'the data, as JSON in the format of a webhook body (default: two alerts)',
    )
  render.option('--json', 'print the text as JSON (Gatehouse only)')
  render.action(() => runCommand(() => printRendered(render.opts<RenderFlags>()), badNews))
  return new Command('template').description('Test templates.').addCommand(render)
}

async function printRendered(flags: RenderFlags): Promise<number> {
  const { 'template.text': template, 'template.type': type, 'template.glob': templates } = flags
  const source = await sourceOf(flags)
  const alerts = await alertsInMemory(source, templates === undefined ? {} : { templates })
  const text = renderTemplate(alerts, template, { type, data: await dataOf(flags) })
  process.stdout.write(flags.json ? `${JSON.stringify({ text })}\n` : text)
  return 0
}

const noConfig: AlertsConfigSource = {
  text: 'route: { receiver: nobody }\nreceivers: [ { name: nobody } ]\n',
}

async function sourceOf({ 'config.file': filename }: RenderFlags): Promise<AlertsConfigSource> {
  return filename === undefined
    ? noConfig
    : { ...(await readTextFile(filename)), references: 'unresolved' }
}

async function dataOf({ 'template.data': filename }: RenderFlags): Promise<TemplateFacts> {
  if (filename === undefined) return sampleData(systemClock.now())
  const { text } = await readTextFile(filename)
  try {
    return decodeTemplateData(text)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`${filename}: ${problem}`, { cause: error })
  }
}
