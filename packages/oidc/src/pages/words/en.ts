import type { OidcWords } from './words.ts'

export const en: OidcWords = {
  consent: {
    title: (app) => `Allow ${app} to use your account?`,
    signedInAs: 'Signed in as',
    otherAccount: 'Use another account',
    asks: 'The app asks for',
    asksOf: (api) => `At ${api}, the app asks for`,
    uncheckedAt: (host) =>
      `This app registered itself, and its name was not checked. Allow it only if you started this yourself and trust ${host}.`,
    uncheckedHere:
      'This app registered itself, and its name was not checked. Allow it only if you started this yourself, in an app on this device.',
    goesTo: (host) => `After your answer you go to ${host}.`,
    goesHere: 'After your answer you go back to an app on this device.',
    goesToDevice: 'After your answer, go back to your other device.',
    allow: 'Allow',
    deny: 'Deny',
    policy: 'Privacy policy',
    terms: 'Terms of use',
  },
  scopes: {
    openid: 'An identifier, by which it recognizes you',
    profile: 'Your name, your picture and the rest of your profile',
    email: 'Your email address',
    phone: 'Your phone number',
    address: 'Your postal address',
    roles: 'Your roles',
    groups: 'Your groups',
    offline_access: 'Access while you are away, until you withdraw it',
  },
  device: {
    title: 'Connect a device',
    text: 'Enter the code that your device shows.',
    label: 'Code',
    next: 'Continue',
    problems: {
      missing: 'Enter the code.',
      wrong: 'There is no such code. Compare it with the one on your device.',
      expired: 'This code has expired. Start again on your device.',
      used: 'This code was used before. Start again on your device.',
      other: 'This did not work. Enter the code again.',
    },
    confirmTitle: (app) => `Connect a device to ${app}?`,
    compare: 'Your device must show this code:',
    device: 'Device',
    place: 'Place',
    warning:
      'Connect it only if you started this yourself, on a device of your own. If someone sent you the code, they would get into your account.',
    confirm: 'Connect',
    cancel: 'Cancel',
    doneTitle: 'Your device is connected',
    doneText: (app) => `Go back to it to continue with ${app}. You can close this page.`,
    deniedTitle: 'The device was not connected',
    deniedText: 'It has no access to your account. You can close this page.',
  },
  logout: {
    title: 'Sign out?',
    text: 'You will be signed out here and in the apps that you opened with this account.',
    askedBy: (app) =>
      `${app} asks to sign you out. You will be signed out here and in the apps that you opened with this account.`,
    confirm: 'Sign out',
    stay: 'Stay signed in',
    doneTitle: 'You are signed out',
    doneText: 'You can close this page.',
    stayedTitle: 'You are still signed in',
    stayedText: 'Only the app that asked has ended its session. You can close this page.',
  },
  failure: {
    title: 'This did not work',
    advice: {
      request:
        'The app sent a request that cannot be answered. Go back to it and try again. If that does not help, write to its operators.',
      expired:
        'This page has expired, or it was answered before. Go back to the app and start again.',
      foreign:
        'A page of another site sent this, so it was refused. Go back to the app and start again.',
      many: 'There were too many attempts. Wait a few minutes, then try again.',
      impersonated:
        'You are signed in as another person. Apps get no access to an account that way.',
      fault: 'Something went wrong on our side. Go back to the app and try again in a moment.',
    },
    detail: 'For developers',
  },
}
