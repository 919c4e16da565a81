import type { OidcWords } from './words.ts'

export const es: OidcWords = {
  consent: {
    title: (app) => `¿Permitir que ${app} acceda a su cuenta?`,
    signedInAs: 'Sesión iniciada como',
    otherAccount: 'Usar otra cuenta',
    asks: 'La aplicación solicita',
    asksOf: (api) => `La aplicación solicita, en ${api}`,
    uncheckedAt: (host) =>
      `Esta aplicación se registró por sí misma y su nombre no se ha comprobado. Permítale el acceso solo si usted inició esta solicitud y confía en ${host}.`,
    uncheckedHere:
      'Esta aplicación se registró por sí misma y su nombre no se ha comprobado. Permítale el acceso solo si usted inició esta solicitud en una aplicación de este dispositivo.',
    goesTo: (host) => `Después de responder, continuará en ${host}.`,
    goesHere: 'Después de responder, continuará en una aplicación de este dispositivo.',
    goesToDevice: 'Después de responder, continúe en su otro dispositivo.',
    allow: 'Permitir',
    deny: 'Rechazar',
    policy: 'Privacidad',
    terms: 'Condiciones de uso',
  },
  scopes: {
    openid: 'Un identificador con el que reconocerle',
    profile: 'Su nombre, su imagen y el resto de su perfil',
    email: 'Su dirección de correo electrónico',
    phone: 'Su número de teléfono',
    address: 'Su dirección postal',
    roles: 'Sus roles',
    groups: 'Sus grupos',
    offline_access: 'Acceso también en su ausencia, hasta que usted lo retire',
  },
  device: {
    title: 'Conectar un dispositivo',
    text: 'Introduzca el código que muestra su dispositivo.',
    label: 'Código',
    next: 'Continuar',
    problems: {
      missing: 'Introduzca el código.',
      wrong: 'Ese código no existe. Compárelo con el de su dispositivo.',
      expired: 'Este código ha caducado. Empiece de nuevo en su dispositivo.',
      used: 'Este código ya se ha usado. Empiece de nuevo en su dispositivo.',
      other: 'No ha funcionado. Introduzca el código otra vez.',
    },
    confirmTitle: (app) => `¿Conectar un dispositivo a ${app}?`,
    compare: 'Su dispositivo debe mostrar este código:',
    device: 'Dispositivo',
    place: 'Lugar',
    warning:
      'Conéctelo solo si usted inició esta solicitud en un dispositivo propio. Si alguien le envió el código, esa persona entraría en su cuenta.',
    confirm: 'Conectar',
    cancel: 'Cancelar',
    doneTitle: 'Su dispositivo está conectado',
    doneText: (app) => `Continúe en él con ${app}. Puede cerrar esta página.`,
    deniedTitle: 'El dispositivo no se ha conectado',
    deniedText: 'No tiene acceso a su cuenta. Puede cerrar esta página.',
  },
  logout: {
    title: '¿Cerrar sesión?',
    text: 'Se cerrará su sesión aquí y en las aplicaciones que haya abierto con esta cuenta.',
    askedBy: (app) =>
      `${app} solicita cerrar su sesión. Se cerrará aquí y en las aplicaciones que haya abierto con esta cuenta.`,
    confirm: 'Cerrar sesión',
    stay: 'Mantener la sesión',
    doneTitle: 'Ha cerrado la sesión',
    doneText: 'Puede cerrar esta página.',
    stayedTitle: 'Su sesión sigue abierta',
    stayedText: 'Solo la aplicación que lo solicitó ha cerrado la suya. Puede cerrar esta página.',
  },
  failure: {
    title: 'No ha funcionado',
    advice: {
      request:
        'La aplicación envió una solicitud a la que no se puede responder. Vuelva a la aplicación e inténtelo de nuevo. Si no sirve, consulte a sus responsables.',
      expired:
        'Esta página ha caducado o ya se respondió. Vuelva a la aplicación y empiece de nuevo.',
      foreign:
        'Esto lo envió una página de otro sitio, por lo que se ha rechazado. Vuelva a la aplicación y empiece de nuevo.',
      many: 'Ha habido demasiados intentos. Espere unos minutos e inténtelo de nuevo.',
      impersonated:
        'Ha iniciado sesión en nombre de otra persona. De esta forma ninguna aplicación obtiene acceso a su cuenta.',
      fault:
        'Algo ha fallado por nuestra parte. Vuelva a la aplicación e inténtelo dentro de un momento.',
    },
    detail: 'Para desarrolladores',
  },
}
