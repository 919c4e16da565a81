import type { Words } from './words.ts'

export const fr: Words = {
  proofs: {
    verification: {
      subject: 'Confirmez votre adresse',
      code: '{Code} est votre code pour confirmer votre adresse sur {Name}.',
      above: 'Voici votre code pour confirmer votre adresse sur {Name}\u00a0:',
      link: 'Ouvrez ce lien pour confirmer votre adresse\u00a0:',
      button: 'Confirmer l’adresse',
    },
    setUp: {
      subject: 'Confirmez cette adresse',
      code: '{Code} est votre code pour vous connecter avec cette adresse sur {Name}.',
      above: 'Voici votre code pour vous connecter avec cette adresse sur {Name}\u00a0:',
      link: 'Ouvrez ce lien pour utiliser cette adresse à la connexion\u00a0:',
      button: 'Confirmer l’adresse',
    },
    signIn: {
      subject: 'Connexion',
      code: '{Code} est votre code pour vous connecter à {Name}.',
      above: 'Voici votre code pour vous connecter à {Name}\u00a0:',
      link: 'Ouvrez ce lien pour vous connecter\u00a0:',
      button: 'Se connecter',
    },
    recovery: {
      subject: 'Réinitialisez votre mot de passe',
      code: '{Code} est votre code pour réinitialiser votre mot de passe sur {Name}.',
      above: 'Voici votre code pour réinitialiser votre mot de passe sur {Name}\u00a0:',
      link: 'Ouvrez ce lien pour réinitialiser votre mot de passe\u00a0:',
      button: 'Réinitialiser le mot de passe',
    },
    lifetime: 'Durée de validité\u00a0: {Lifetime}.',
    ignore: 'Si vous n’avez rien demandé, vous pouvez ignorer ce message.',
  },
  notices: {
    newSignIn: {
      subject: 'Nouvelle connexion à votre compte',
      fact: 'Quelqu’un s’est connecté à votre compte sur {Name} le {Time}{Where}.',
    },
    password: {
      subject: 'Votre mot de passe a été modifié',
      fact: 'Le mot de passe de votre compte sur {Name} a été modifié le {Time}{Where}.',
    },
    address: {
      subject: 'Vos adresses ont été modifiées',
      fact: 'Les adresses de votre compte sur {Name} ont été modifiées le {Time}{Where}.',
    },
    factor: {
      subject: 'Vos méthodes de connexion ont été modifiées',
      fact: 'Les méthodes de connexion de votre compte sur {Name} ont été modifiées le {Time}{Where}.',
    },
    apiKey: {
      subject: 'Une nouvelle clé d’API pour votre compte',
      fact: 'Une clé d’API a été créée pour votre compte sur {Name} le {Time}{Where}.',
    },
    impersonation: {
      subject: 'Un administrateur s’est connecté à votre compte',
      fact: 'Un administrateur de {Name} s’est connecté à votre compte le {Time}{Where}.',
    },
    device: ' avec {Device}',
    place: ' (pays\u00a0: {PlaceName})',
    calm: 'Si c’était vous, vous n’avez rien à faire.',
    remedy: 'Sinon, réinitialisez immédiatement votre mot de passe et fermez vos autres sessions.',
    remedyLink: 'Sinon, réinitialisez votre mot de passe et fermez vos autres sessions\u00a0:',
    endSession: 'Sinon, fermez immédiatement cette session et changez votre mot de passe.',
    endSessionLink: 'Sinon, fermez cette session et changez votre mot de passe\u00a0:',
    revokeKey: 'Sinon, révoquez la clé et réinitialisez votre mot de passe immédiatement.',
    revokeKeyLink: 'Sinon, révoquez la clé et réinitialisez votre mot de passe\u00a0:',
    askOperators: 'Si vous ne savez pas pourquoi, adressez-vous aux responsables.',
    notMe: 'Ce n’était pas moi',
  },
  deletion: {
    subject: 'Votre compte va être supprimé',
    fact: 'La suppression de votre compte sur {Name} a été demandée le {Time}{Where}.',
    when: 'Le compte et ses données seront supprimés le {DeleteAt}.',
    keep: 'Si vous changez d’avis, ou si ce n’était pas vous, conservez le compte\u00a0:',
    button: 'Conserver mon compte',
  },
  taken: {
    subject: 'Quelqu’un a essayé de s’inscrire avec votre adresse',
    fact: 'Quelqu’un a essayé de s’inscrire sur {Name} avec cette adresse, qui a déjà un compte.',
    calm: 'Si c’était vous, connectez-vous plutôt. Sinon, vous n’avez rien à faire.',
  },
  invitation: {
    subject: 'Vous avez reçu une invitation',
    fact: 'Vous avez reçu une invitation à rejoindre {Name}.',
    accept: 'Acceptez l’invitation pour créer votre compte\u00a0:',
    button: 'Accepter l’invitation',
    until: 'L’invitation est valable jusqu’au {Time}.',
    ignore: 'Si vous ne savez pas de quoi il s’agit, vous pouvez ignorer ce message.',
  },
  browser: { named: '{browser} sous {system}', unknown: 'un navigateur inconnu' },
  pages: {
    confirmTitle: 'Est-ce bien vous\u202f?',
    confirmFact:
      'Quelqu’un a demandé ce lien pour prouver que votre adresse lui appartient, sur cet appareil ou sur un autre.',
    confirmRequest: 'Navigateur\u00a0: {browser}. Lieu\u00a0: {place}. Date\u00a0: {time}.',
    confirmWarning:
      'Confirmez seulement si c’était vous. Votre confirmation permet à cette personne de continuer.',
    confirmButton: 'Oui, confirmer',
    notMeTitle: 'Ce n’était pas vous\u202f?',
    notMeFact:
      'Si cette connexion n’est pas la vôtre, fermez cette session. Ce navigateur est déconnecté aussitôt, ainsi que tous ceux qui se sont connectés après lui.',
    notMeButton: 'Fermer cette session',
    disownedTitle: 'Cette session est fermée',
    disownedAdvice: 'Changez maintenant votre mot de passe\u00a0: quelqu’un le connaît peut-être.',
    disownedLink: 'Changer le mot de passe',
    keepTitle: 'Conserver votre compte\u202f?',
    keepFact:
      'Votre compte doit être supprimé le {time}. Si vous le conservez, rien ne sera supprimé.',
    keepButton: 'Conserver mon compte',
    keptTitle: 'Votre compte est conservé',
    keptFact:
      'Il ne sera pas supprimé. Si vous n’avez pas demandé sa suppression, connectez-vous et changez votre mot de passe.',
    approvedTitle: 'Confirmé',
    approvedAdvice: 'Retournez là où vous avez demandé le lien. Vous pouvez fermer cette page.',
    recoveryTitle: 'Réinitialisez votre mot de passe',
    recoveryAdvice: 'Retournez là où vous avez demandé le lien et saisissez ce code\u00a0:',
    deadTitle: 'Ce lien n’est plus valable',
    deadAdvice:
      'Il a déjà été utilisé ou a expiré. Retournez là où vous l’avez demandé et demandez-en un nouveau.',
    replacedAdvice:
      'Un lien plus récent a été envoyé à sa place. Ouvrez le lien du dernier message. Si vous n’avez rien demandé, ignorez les deux.',
    failedTitle: 'Cela n’a pas fonctionné',
    failedAdvice: 'Un problème est survenu de notre côté. Rechargez la page dans un instant.',
    foreignAdvice:
      'Cette demande vient d’une page d’un autre site\u202f; elle a donc été refusée. Ouvrez de nouveau le lien de votre message.',
    insecureAdvice: 'Cette page doit être ouverte par une adresse qui commence par https.',
    notYoursFact: 'Votre session est ouverte, mais cette page ne vous est pas destinée.',
    language: 'Langue',
  },
}
