import { describe, expect, it } from 'vitest'
import { createMetricsRegistry } from './metrics.ts'
import { negotiateMetricsFormat } from './metrics-text.ts'

const openMetrics = 'application/openmetrics-text'

describe('createMetricsRegistry', () => {
  it('writes metrics ordered by name, with help and type', async () => {
    const metrics = createMetricsRegistry()
    metrics.gauge({ name: 'b_now', help: 'B.' }).set(1.5)
    const total = metrics.counter({ name: 'a_total', help: 'A.', labels: ['status', 'version'] })
    total.add(1, { status: 'ok', version: 'v2' })
    total.add(2, { version: 'v2', status: 'ok' })
    total.add(0, { status: 'bad', version: 'v2' })
    const { body, contentType } = await metrics.expose(null)
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toBe(
      '# HELP a_total A.\n# TYPE a_total counter\n' +
        'a_total{status="ok",version="v2"} 3\na_total{status="bad",version="v2"} 0\n' +
        '# HELP b_now B.\n# TYPE b_now gauge\nb_now 1.5\n',
    )
  })

  it('writes a metric without labels from the start', async () => {
    const metrics = createMetricsRegistry()
    metrics.counter({ name: 'a_total', help: 'A.' })
    expect((await metrics.expose(null)).body).toContain('\na_total 0\n')
  })

  it('escapes characters that would break a line', async () => {
    const metrics = createMetricsRegistry()
    metrics.gauge({ name: 'a', help: 'x\\y\n"z"', labels: ['l'] }).set(1, { l: 'q"\\\n' })
    expect((await metrics.expose(null)).body).toBe(
      '# HELP a x\\\\y\\n"z"\n# TYPE a gauge\na{l="q\\"\\\\\\n"} 1\n',
    )
    expect((await metrics.expose(openMetrics)).body).toContain('# HELP a x\\\\y\\n\\"z\\"\n')
  })

  it('counts an observation in every bucket that includes it', async () => {
    const metrics = createMetricsRegistry()
    const sizes = metrics.histogram({ name: 'h', help: 'H.', labels: ['m'], buckets: [0.5, 1e6] })
    for (const size of [0.5, 0.6, 1e6, 2e6]) sizes.observe(size, { m: 'get' })
    const { body } = await metrics.expose(null)
    expect(body.split('\n').slice(2, -1)).toEqual([
      'h_bucket{m="get",le="0.5"} 1',
      'h_bucket{m="get",le="1e+06"} 3',
      'h_bucket{m="get",le="+Inf"} 4',
      'h_sum{m="get"} 3.0000011e+06',
      'h_count{m="get"} 4',
    ])
  })

  it('OpenMetrics writes a whole bound with its fraction', async () => {
    const metrics = createMetricsRegistry()
    metrics.histogram({ name: 'h', help: 'H.', buckets: [5] }).observe(1)
    expect((await metrics.expose(null)).body).toContain('h_bucket{le="5"} 1')
    expect((await metrics.expose(openMetrics)).body).toContain('h_bucket{le="5.0"} 1')
  })

  it('a summary has a sum and a count', async () => {
    const metrics = createMetricsRegistry()
    metrics.summary({ name: 's', help: 'S.' }).observe(2)
    expect((await metrics.expose(null)).body).toContain('s_sum 2\ns_count 1\n')
  })

  it('fills a gauge at scrape time', async () => {
    const metrics = createMetricsRegistry()
    let states = ['active', 'expired']
    metrics.gauge({
      name: 'g',
      help: 'G.',
      labels: ['state'],
      async collect(gauge) {
        gauge.clear()
        for (const state of states) gauge.set(1, { state })
      },
    })
    expect((await metrics.expose(null)).body).toContain('g{state="expired"} 1')
    states = ['active']
    expect((await metrics.expose(null)).body).not.toContain('expired')
  })

  it('counts label sets beyond the limit together', async () => {
    const metrics = createMetricsRegistry()
    const total = metrics.counter({ name: 'a_total', help: 'A.', labels: ['l'], maxSeries: 2 })
    for (const l of ['x', 'y', 'z', 'w', 'x']) total.add(1, { l })
    const { body } = await metrics.expose(null)
    expect(body).toContain('a_total{l="x"} 2\n')
    expect(body).toContain('a_total{l="other"} 2\n')
    expect(body).not.toContain('"z"')
  })

  it('does not confuse label sets', async () => {
    const metrics = createMetricsRegistry()
    const total = metrics.counter({ name: 'a_total', help: 'A.', labels: ['k', 'l'] })
    total.add(1, { k: 'a', l: '1:b' })
    total.add(1, { k: 'a1:', l: 'b' })
    total.add(1, { k: '__proto__', l: 'constructor' })
    expect((await metrics.expose(null)).body.match(/ 1\n/g)).toHaveLength(3)
  })

  it('OpenMetrics names a counter without _total and ends with EOF', async () => {
    const metrics = createMetricsRegistry()
    metrics.counter({ name: 'a_total', help: 'A.' }).add(1)
    const { body, contentType } = await metrics.expose(openMetrics)
    expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(body).toBe('# HELP a A.\n# TYPE a counter\na_total 1\n# EOF\n')
  })

  it('refuses duplicate or invalid names, and invalid values', () => {
    const metrics = createMetricsRegistry()
    const total = metrics.counter({ name: 'a_total', help: 'A.', labels: ['l'] })
    expect(() => metrics.gauge({ name: 'a_total', help: 'A.' })).toThrow('already exists')
    expect(() => metrics.gauge({ name: 'a-b', help: 'A.' })).toThrow('not a valid metric name')
    expect(() => metrics.gauge({ name: 'b', help: 'A.', labels: ['a:b'] })).toThrow(
      'not a valid label name',
    )
    expect(() => metrics.histogram({ name: 'h', help: 'H.', buckets: [2, 1] })).toThrow('ascend')
    expect(() => total.add(-1, { l: 'x' })).toThrow(RangeError)
    expect(() => total.add(1)).toThrow('the label "l" has no value')
  })
})

describe('negotiateMetricsFormat', () => {
  it('follows the quality values of a client', () => {
    const prometheus =
      'application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
    expect(negotiateMetricsFormat(prometheus).contentType).toContain('version=1.0.0')
    expect(negotiateMetricsFormat(`${openMetrics};version=0.0.1`).contentType).toContain('0.0.1')
    for (const accept of [
      null,
      '',
      '*/*',
      'text/plain, application/openmetrics-text;q=0.1',
      'application/openmetrics-text;q=0',
      'application/openmetrics-text;version=9',
      'application/openmetrics-text;q=nonsense',
    ]) {
      expect(negotiateMetricsFormat(accept).name).toBe('text')
    }
  })
})
