import type { Language } from './languages.ts'

/** What a browser without JavaScript shows. */
export const noScript: Readonly<Record<Language, string>> = {
  en: 'This page needs JavaScript. Allow it in the settings of your browser, then load the page again.',
  de: 'Diese Seite braucht JavaScript. Erlauben Sie es in den Einstellungen Ihres Browsers, und laden Sie die Seite neu.',
  fr: 'Cette page a besoin de JavaScript. Activez-le dans les réglages de votre navigateur, puis rechargez la page.',
  es: 'Esta página necesita JavaScript. Actívelo en los ajustes de su navegador y vuelva a cargar la página.',
  ja: 'このページには JavaScript が必要です。ブラウザーの設定で有効にしてから、ページを再読み込みしてください。',
  ar: 'تحتاج هذه الصفحة إلى JavaScript. فعّله في إعدادات المتصفح ثم أعد تحميل الصفحة.',
}
