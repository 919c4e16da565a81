import { queryNumber } from '../../input/query-number.ts'

/** The `limit` and `after` of a query. */
export function pageQuery(query: URLSearchParams): { limit?: number; after?: string } {
  const limit = query.get('limit')
  const after = query.get('after')
  return {
    ...(limit === null ? {} : { limit: queryNumber(limit) }),
    ...(after === null ? {} : { after }),
  }
}
