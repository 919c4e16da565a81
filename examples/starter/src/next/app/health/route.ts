import { countCritical } from '../../../alerts.ts'
import { services } from '../../gatehouse.ts'

export const dynamic = 'force-dynamic'

/** For load balancers: 503 while a critical alert fires. */
export async function GET(): Promise<Response> {
  const firing = await countCritical(services().alerts)
  return Response.json({ firing }, { status: firing > 0 ? 503 : 200 })
}
