import type { Scene } from '../../generator/scene.ts';

/** A customer has trouble with a booking system, the support finds the cause. */
export const supportCall: Scene = {
  title: 'Soporte: {trouble} en {hotel.el}',
  templateName: 'default-meeting',
  keywords: ['soporte', '{trouble.keyword}', '{hotel}', 'reservas', 'incidencia {ticket}'],
  people: { customer: 'woman', agent: 'man', technician: 'woman' },
  slots: {
    hotel: [
      { name: 'Hotel Miramar', el: 'el Hotel Miramar' },
      { name: 'Hostal del Puente', el: 'el Hostal del Puente' },
      { name: 'Casa Albariza', el: 'Casa Albariza' },
      { name: 'Hotel Tres Olivos', el: 'el Hotel Tres Olivos' },
    ],
    trouble: [
      {
        name: 'reservas duplicadas',
        keyword: 'duplicados',
        said: 'Desde el sábado nos entran reservas duplicadas. Ayer tuvimos a dos familias para la misma habitación.',
        check: '¿Puede abrir los ajustes y decirme cuántos canales aparecen como conectados?',
        found: 'Veo cinco. Y hay uno que sale dos veces, con el mismo nombre.',
        cause:
          'Ese es el problema. El canal se conectó de nuevo el sábado, pero la conexión antigua siguió activa.',
        short: 'un canal de reservas está conectado dos veces',
        fix: 'Desactivar la conexión antigua del canal',
      },
      {
        name: 'precios equivocados',
        keyword: 'precios',
        said: 'Desde el sábado la web enseña los precios del invierno. Ayer alguien reservó una semana de agosto por la mitad.',
        check:
          '¿Puede abrir el calendario de tarifas y decirme qué fecha pone al lado de la tarifa de verano?',
        found: 'Pone el año pasado. Ah, claro, nadie la ha renovado.',
        cause:
          'Exacto. La tarifa de verano caducó el viernes, y entonces el sistema vuelve a la última que sigue en vigor.',
        short: 'la tarifa de verano había caducado',
        fix: 'Renovar la tarifa de verano y publicar de nuevo los precios',
      },
      {
        name: 'correos sin enviar',
        keyword: 'confirmaciones',
        said: 'Desde el sábado los clientes no reciben la confirmación. Nos llaman todos para preguntar si tienen habitación.',
        check: '¿Puede abrir el apartado de correo y decirme si hay algún aviso en amarillo?',
        found: 'Sí, dice que la contraseña del buzón no es válida.',
        cause: 'Ahí está. Alguien cambió la contraseña del buzón, y el sistema sigue usando la antigua.',
        short: 'la contraseña del buzón había cambiado',
        fix: 'Guardar la nueva contraseña del buzón y reenviar las confirmaciones',
      },
    ],
    affected: ['14', '23', '37', '9'],
    ticket: ['20418', '20655', '21307'],
    wait: ['diez minutos', 'un cuarto de hora', 'media hora'],
  },
  weeks: [{ call: 2 }, { call: 4 }, { call: 5 }],
  chapters: [
    {
      name: 'Qué ocurre',
      lines: [
        'agent: Buenos días, {customer.first}, soy {agent.name}, de soporte. También está {technician.first}, que lleva la parte técnica. Cuéntenos, ¿qué está pasando?',
        'customer: Buenos días. {trouble.said}',
        'technician: ¿Sabe a cuántos clientes afecta?',
        'customer: He contado {affected}. Seguro que hay alguno más, pero esos los tengo apuntados.',
        'agent: Lo siento mucho, es lo último que hace falta en plena temporada. Vamos a verlo ahora mismo.',
      ],
    },
    {
      name: 'La causa',
      lines: [
        'technician: {trouble.check}',
        'customer: {trouble.found}',
        'technician: {trouble.cause}',
        'customer: ¿Y eso lo puedo arreglar yo o lo tienen que hacer ustedes?',
        'technician: Lo hago yo desde aquí. Tardo {wait}, y no hace falta que cierre nada.',
      ],
    },
    {
      name: 'Cómo seguimos',
      lines: [
        'customer: Perfecto. ¿Y qué hago con los {affected} clientes?',
        'agent: Si me manda la lista hoy, les escribimos nosotros en su nombre, con una disculpa. Usted ve el texto antes.',
        'customer: Se la mando en cuanto colguemos. Y una cosa, ¿cómo evitamos que vuelva a pasar?',
        'technician: Voy a poner un aviso: si ocurre de nuevo, le llega un mensaje a usted y otro a nosotros.',
        'agent: Y yo la llamo el {call} para comprobar que todo va bien. Su incidencia es la {ticket}.',
        'customer: Muchas gracias a los dos, me dejan mucho más tranquila.',
      ],
    },
  ],
  summary: [
    'En {hotel.el} hay {trouble} desde el sábado, con {affected} clientes afectados. **La causa está clara: {trouble.short}.**',
    '{technician} lo arregla hoy mismo y prepara un aviso para que no vuelva a pasar inadvertido.',
    'Soporte escribe a los clientes en nombre del hotel y llama el {call} para comprobarlo todo. Incidencia {ticket}.',
  ],
  decisions: [
    'Soporte escribe a los {affected} clientes afectados, con el visto bueno del hotel',
    'Un aviso automático informa al hotel y a soporte si vuelve a ocurrir',
  ],
  tasks: [
    { text: '{trouble.fix}', owner: 'technician', due: 0, chapter: 1 },
    { text: 'Mandar la lista de los clientes afectados', owner: 'customer', due: 0, chapter: 2 },
    { text: 'Preparar el mensaje de disculpa para los clientes', owner: 'agent', due: 1, chapter: 2 },
    { text: 'Llamar para comprobar que todo funciona', owner: 'agent', due: 'call', chapter: 2 },
  ],
};
