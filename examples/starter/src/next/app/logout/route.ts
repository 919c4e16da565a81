import { formatSetCookie, logout } from '@gatehouse/core'
import { services } from '../../gatehouse.ts'

export async function POST(request: Request): Promise<Response> {
  const response = new Response(null, { status: 204 })
  for (const cookie of await logout(services().auth, request)) {
    response.headers.append('set-cookie', formatSetCookie(cookie))
  }
  return response
}
