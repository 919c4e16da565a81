// What Go's templates cost: to read a set of them, and to run one as text and as HTML.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- template [options]

  --rows N      how many rows the rendered list has (default 100)
  --runs N      how often each is done in a round (default 500)
  --rounds N    how many rounds (default 3)
  --json        the figures as JSON`

const entry = fileURLToPath(new URL('../packages/go-template/dist/index.js', import.meta.url))

const text = `{{ define "row" }}{{ .name | title }}: {{ range $key, $value := .labels }}{{ $key }}={{ $value }} {{ end }}{{ end }}
{{- range $index, $row := .rows }}{{ if gt $index 0 }}
{{ end }}{{ template "row" $row }}{{ else }}nothing{{ end }}`

const html = `<ul>{{ range .rows }}<li title="{{ .name }}"><a href="/rows/{{ .name }}">{{ .name }}</a>
  <script>show({{ .labels }})</script></li>{{ end }}</ul>`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      rows: { type: 'string', default: '100' },
      runs: { type: 'string', default: '500' },
    },
  })
  if (values === undefined) return
  if (!existsSync(entry)) throw new Error('packages/go-template is not built (npm run build)')
  /** @type {Library} */
  const library = await import(entry)
  const runs = wholeNumber('runs', values.runs)
  const measures = measuresOf(library, dataOf(library, wholeNumber('rows', values.rows)))
  /** @type {Map<string, number[]>} */
  const figures = new Map()
  for (let round = 0; round < wholeNumber('rounds', values.rounds); round++) {
    for (const [name, once] of Object.entries(measures)) {
      figures.set(name, [...(figures.get(name) ?? []), microsecondsOf(once, runs)])
    }
  }
  const medians = [...figures].map(([name, all]) => [name, Math.round(median(all))])
  if (values.json) return console.log(JSON.stringify(Object.fromEntries(medians), undefined, 2))
  console.log(table([['', 'µs'], ...medians.map(([name, micros]) => [`${name}`, `${micros}`])]))
}

/** @typedef {typeof import('@gatehouse/go-template')} Library */

/**
 * Named rows with labels, some of which have to be escaped.
 *
 * @param {Library} library
 * @param {number} count
 */
const dataOf = ({ valueFromJson }, count) =>
  valueFromJson({
    rows: Array.from({ length: count }, (_, index) => ({
      name: `row ${index} <of ${count}>`,
      labels: { severity: 'critical', instance: `db-${index}`, text: 'a & b "c"' },
    })),
  })

/**
 * @param {Library} library
 * @param {import('@gatehouse/go-template').Value} data
 * @returns {Record<string, () => unknown>} what is measured, by its name.
 */
function measuresOf(library, data) {
  const { libraryFunctions, parseHtmlTemplates, parseTemplates, renderTemplate } = library
  const options = { functions: libraryFunctions({ now: () => Date.now() }) }
  const asText = () => parseTemplates([{ name: 'page', text }], options)
  const asHtml = () => parseHtmlTemplates([{ name: 'page', text: html }], options)
  const [textSet, htmlSet] = [asText(), asHtml()]
  return {
    'read a text template': asText,
    'read an HTML template': asHtml,
    'run it as text': () => renderTemplate(textSet, 'page', { data }),
    'run it as HTML': () => renderTemplate(htmlSet, 'page', { data }),
  }
}

/**
 * The processor time of one run, after as many that only warm up.
 *
 * @param {() => unknown} once
 * @param {number} runs
 */
function microsecondsOf(once, runs) {
  for (let n = 0; n < runs; n++) once()
  const before = process.cpuUsage()
  for (let n = 0; n < runs; n++) once()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / runs
}
