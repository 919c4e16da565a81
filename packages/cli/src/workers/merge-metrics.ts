import type { WorkerText } from './messages.ts'

interface Family {
  readonly comments: string[]
  readonly samples: string[]
}

/** One exposition of several processes: their series get the label `worker`. The texts have one format. */
export function mergeMetrics(texts: readonly WorkerText[]): string {
  const families = new Map<string, Family>()
  let end = ''
  for (const { worker, text } of texts) {
    let current: Family = { comments: [], samples: [] }
    const seen = new Set<string>()
    for (const line of text.split('\n')) {
      const [, name = ''] = /^# (?:HELP|TYPE|UNIT) (\S+)/.exec(line) ?? []
      if (line === '# EOF') {
        end = `${line}\n`
      } else if (name !== '') {
        const known = families.get(name)
        if (!seen.has(name)) current = known ?? { comments: [], samples: [] }
        // The comments of the first process are those of all.
        if (known === undefined || seen.has(name)) {
          if (!current.comments.includes(line)) current.comments.push(line)
        }
        seen.add(name)
        families.set(name, current)
      } else if (line !== '') {
        current.samples.push(labelled(line, worker))
      }
    }
  }
  const sorted = [...families].sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = sorted.flatMap(([, { comments, samples }]) => [...comments, ...samples])
  return `${lines.join('\n')}\n${end}`
}

function labelled(sample: string, worker: number): string {
  const label = `worker="${worker}"`
  const nameEnd = sample.search(/[{ ]/)
  const name = sample.slice(0, nameEnd)
  const rest = sample.slice(nameEnd)
  if (!rest.startsWith('{')) return `${name}{${label}}${rest}`
  return rest.startsWith('{}')
    ? `${name}{${label}${rest.slice(1)}`
    : `${name}{${label},${rest.slice(1)}`
}
