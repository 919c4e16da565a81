import type { OidcWords } from './words.ts'

export const fr: OidcWords = {
  consent: {
    title: (app) => `Autoriser ${app} à accéder à votre compte\u202f?`,
    signedInAs: 'Compte utilisé',
    otherAccount: 'Utiliser un autre compte',
    asks: 'L’application demande',
    asksOf: (api) => `L’application demande, auprès de ${api}`,
    uncheckedAt: (host) =>
      `Cette application s’est enregistrée elle-même et son nom n’a pas été vérifié. Autorisez-la seulement si vous êtes à l’origine de cette demande et si vous faites confiance à ${host}.`,
    uncheckedHere:
      'Cette application s’est enregistrée elle-même et son nom n’a pas été vérifié. Autorisez-la seulement si vous êtes à l’origine de cette demande, dans une application de cet appareil.',
    goesTo: (host) => `Après votre réponse, vous continuerez sur ${host}.`,
    goesHere: 'Après votre réponse, vous continuerez dans une application de cet appareil.',
    goesToDevice: 'Après votre réponse, continuez sur votre autre appareil.',
    allow: 'Autoriser',
    deny: 'Refuser',
    policy: 'Confidentialité',
    terms: 'Conditions d’utilisation',
  },
  scopes: {
    openid: 'Un identifiant, pour vous reconnaître',
    profile: 'Votre nom, votre photo et le reste de votre profil',
    email: 'Votre adresse e-mail',
    phone: 'Votre numéro de téléphone',
    address: 'Votre adresse postale',
    roles: 'Vos rôles',
    groups: 'Vos groupes',
    offline_access: 'Un accès même en votre absence, jusqu’à ce que vous le retiriez',
  },
  device: {
    title: 'Associer un appareil',
    text: 'Saisissez le code que votre appareil affiche.',
    label: 'Code',
    next: 'Continuer',
    problems: {
      missing: 'Saisissez le code.',
      wrong: 'Ce code n’existe pas. Comparez-le à celui de votre appareil.',
      expired: 'Ce code a expiré. Recommencez sur votre appareil.',
      used: 'Ce code a déjà été utilisé. Recommencez sur votre appareil.',
      other: 'Cela n’a pas fonctionné. Saisissez de nouveau le code.',
    },
    confirmTitle: (app) => `Associer un appareil à ${app}\u202f?`,
    compare: 'Votre appareil doit afficher ce code\u00a0:',
    device: 'Appareil',
    place: 'Lieu',
    warning:
      'Associez-le seulement si vous êtes à l’origine de cette demande, sur l’un de vos appareils. Si quelqu’un vous a envoyé le code, cette personne accéderait à votre compte.',
    confirm: 'Associer',
    cancel: 'Annuler',
    doneTitle: 'Votre appareil est associé',
    doneText: (app) => `Continuez-y avec ${app}. Vous pouvez fermer cette page.`,
    deniedTitle: 'L’appareil n’a pas été associé',
    deniedText: 'Il n’a pas accès à votre compte. Vous pouvez fermer cette page.',
  },
  logout: {
    title: 'Se déconnecter\u202f?',
    text: 'Votre session sera fermée ici et dans les applications que vous avez ouvertes avec ce compte.',
    askedBy: (app) =>
      `${app} demande à vous déconnecter. Votre session sera fermée ici et dans les applications que vous avez ouvertes avec ce compte.`,
    confirm: 'Se déconnecter',
    stay: 'Garder la session ouverte',
    doneTitle: 'Votre session est fermée',
    doneText: 'Vous pouvez fermer cette page.',
    stayedTitle: 'Votre session reste ouverte',
    stayedText:
      'Seule l’application qui l’a demandé a fermé la sienne. Vous pouvez fermer cette page.',
  },
  failure: {
    title: 'Cela n’a pas fonctionné',
    advice: {
      request:
        'L’application a envoyé une demande à laquelle il est impossible de répondre. Revenez à l’application et réessayez. Si cela ne suffit pas, écrivez à ses responsables.',
      expired:
        'Cette page a expiré, ou une réponse a déjà été donnée. Revenez à l’application et recommencez.',
      foreign:
        'Cette demande vient d’une page d’un autre site\u202f; elle a donc été refusée. Revenez à l’application et recommencez.',
      many: 'Il y a eu trop de tentatives. Attendez quelques minutes, puis réessayez.',
      impersonated:
        'Votre session est ouverte au nom d’une autre personne. Aucune application n’obtient ainsi l’accès à son compte.',
      fault:
        'Un problème est survenu de notre côté. Revenez à l’application et réessayez dans un instant.',
    },
    detail: 'Pour les développeurs',
  },
}
