// The parts of Next.js that this package uses. Next.js itself, of 340 MB, is installed by the test that needs it.
declare module 'next/headers' {
  export function headers(): Promise<import('./platform.ts').RequestHeaders>
  export function cookies(): Promise<import('./platform.ts').ResponseCookies>
}

declare module 'next/navigation' {
  export function redirect(address: string): never
}
