export { type SignInOptions, signInRoutes } from './server/sign-in-routes.ts'
export type { Theme, ThemeValues } from './server/theme.ts'
export type { KindField, KindForm, PageFlow } from './settings.ts'
export type { Language } from './texts/languages.ts'
