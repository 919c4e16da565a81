// The parts of Next.js that this package uses. Next.js itself, of 340 MB, is installed by the test that needs it. Their names have
// an extension, because Node.js alone, as in a test of an app, finds no others.
declare module 'next/headers.js' {
  export function headers(): Promise<import('./platform.ts').RequestHeaders>
  export function cookies(): Promise<import('./platform.ts').ResponseCookies>
}

declare module 'next/navigation.js' {
  export function redirect(address: string): never
}
