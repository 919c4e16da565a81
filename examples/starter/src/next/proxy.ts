import { gatehouse } from './gatehouse.ts'

export const proxy = gatehouse.proxy()
export const config = { matcher: '/dashboard/:path*' }
