export { type SignInOptions, signInRoutes } from './server/sign-in-routes.ts'
export { isThemeValue, type Theme, type ThemeValues } from './server/theme.ts'
export type { KindField, KindForm, PageFlow } from './settings.ts'
export type { Language } from './texts/languages.ts'
