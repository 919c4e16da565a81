import { checkQuery, defineCollection, type Query } from '@gatehouse/core/store'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { createPostgresStorage } from './index.ts'
import { createNames } from './names.ts'
import { createTable } from './table.ts'

const things = defineCollection<{ size?: number; name?: string }>({
  name: 'things',
  fields: { size: 'number', name: 'text' },
})

/** A node of a plan, as EXPLAIN prints it. */
interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Index Cond'?: string
  'Scan Direction'?: string
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describeWithPostgres('finding', () => {
  const names = createNames({ schema: undefined, prefix: 'gatehouse_' })
  let url: string
  let client: pg.Client

  beforeAll(async () => {
    url = await freshDatabase()
    const storage = createPostgresStorage({ timeoutMs: 60_000, url })
    await storage.commit(
      Array.from({ length: 2_000 }, (_, index) => {
        const value = { size: (index * 7_919) % 10, name: `${(index * 7_919) % 7}` }
        return things.write(`${index}`, index % 3 === 0 ? {} : value)
      }),
    )
    await storage.close()
    client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('ANALYZE')
    await client.query('SET enable_seqscan = off')
  })
  afterAll(async () => {
    await client.end()
    await dropDatabase(url)
  })

  /** The plan of the exact statement that a store runs. */
  const planOf = async (query: Query): Promise<PlanNode[]> => {
    let nodes: PlanNode[] = []
    const explainer = {
      async query(text: string, values: readonly unknown[] = []) {
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values])
        nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
        return []
      },
    }
    await createTable(names, things).find(explainer, checkQuery(things, query), 0)
    return nodes
  }

  const queries: Record<string, Query> = {
    'an equal number': { by: 'size', equals: 7, limit: 10 },
    'an equal text': { by: 'name', equals: '4', limit: 10 },
    'an equal text, continued': {
      by: 'name',
      equals: '4',
      limit: 10,
      after: { key: '4', id: '100' },
    },
    'an equal text, descending': { by: 'name', equals: '4', limit: 10, order: 'desc' },
    'a range of numbers': { by: 'size', from: 3, to: 8, limit: 10 },
    'a range of texts': { by: 'name', from: '3', to: '5', limit: 10 },
    'a range, descending': { by: 'size', from: 3, to: 8, limit: 10, order: 'desc' },
    'no bounds': { by: 'size', limit: 10 },
    'no bounds, descending': { by: 'name', limit: 10, order: 'desc' },
    'a continued range': { by: 'size', from: 3, limit: 10, after: { key: 5, id: '100' } },
    'a continued range, descending': {
      by: 'name',
      to: '6',
      limit: 10,
      order: 'desc',
      after: { key: '5', id: '1' },
    },
    'an id': { by: 'id', equals: '7', limit: 10 },
    'a range of ids': { by: 'id', from: '3', to: '5', limit: 10 },
    'all ids, continued': { by: 'id', limit: 10, after: { key: '500', id: '500' } },
    'all ids, descending': { by: 'id', limit: 10, order: 'desc' },
  }

  it.each(Object.entries(queries))('by %s reads the index in its order', async (_, query) => {
    const nodes = await planOf(query)
    const index = query.by === 'id' ? 'gatehouse_things_pkey' : `gatehouse_things.by_${query.by}`
    expect(nodes.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan'])
    expect(nodes[1]).toMatchObject({
      'Index Name': index,
      'Scan Direction': query.order === 'desc' ? 'Backward' : 'Forward',
    })
  })

  it('continues at its place in the index, not from the beginning', async () => {
    const [, scan] = await planOf({ by: 'size', limit: 10, after: { key: 5, id: '100' } })
    expect(scan?.['Index Cond']).toContain('ROW(')
  })
})
