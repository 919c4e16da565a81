/** The `limit` and `after` of a query. Only digits are a number; the operation refuses anything else, and shows it. */
export function pageQuery(query: URLSearchParams): { limit?: number; after?: string } {
  const limit = query.get('limit')
  const after = query.get('after')
  return {
    ...(limit === null
      ? {}
      : { limit: (/^\d{1,9}$/.test(limit) ? Number(limit) : limit) as number }),
    ...(after === null ? {} : { after }),
  }
}
