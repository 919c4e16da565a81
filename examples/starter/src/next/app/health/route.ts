import { countCritical } from '../../../alerts.ts'
import { gatehouse } from '../../gatehouse.ts'

export const dynamic = 'force-dynamic'

/** For load balancers: 503 while a critical alert fires. */
export async function GET(): Promise<Response> {
  const firing = await countCritical(gatehouse.services().alerts)
  return Response.json({ firing }, { status: firing > 0 ? 503 : 200 })
}
