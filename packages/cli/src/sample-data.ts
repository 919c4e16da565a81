import type { TemplateFacts } from '@gatehouse/core/alerts'

/** The data that amtool gives a template by default, so that both print the same. */
export function sampleData(now: number): TemplateFacts {
  const minute = 60_000
  const commonLabels = {
    commonlabelkey1: 'commonlabelvalue1',
    commonlabelkey2: 'commonlabelvalue2',
  }
  const commonAnnotations = {
    commonannotationkey1: 'commonannotationvalue1',
    commonannotationkey2: 'commonannotationvalue2',
  }
  const alert = { status: 'alertstatus', endsAt: now, generatorURL: 'https://generatorurl.com' }
  return {
    receiver: 'receiver',
    status: 'alertstatus',
    alerts: [
      {
        ...alert,
        labels: { label1: 'value1', label2: 'value2', instance: 'foo.bar:1234', ...commonLabels },
        annotations: { annotation1: 'value1', annotation2: 'value2', ...commonAnnotations },
        startsAt: now - 5 * minute,
        fingerprint: 'fingerprint1',
      },
      {
        ...alert,
        labels: { foo: 'bar', baz: 'qux', ...commonLabels },
        annotations: { aaa: 'bbb', ccc: 'ddd', ...commonAnnotations },
        startsAt: now - 10 * minute,
        fingerprint: 'fingerprint2',
      },
    ],
    reason: 'unknown',
    groupLabels: { grouplabelkey1: 'grouplabelvalue1', grouplabelkey2: 'grouplabelvalue2' },
    commonLabels,
    commonAnnotations,
    routeLabels: {},
    externalURL: 'https://example.com',
  }
}
