import type { Scene } from '../../generator/scene.ts';

/** A class at a university, with questions from the students. */
export const lecture: Scene = {
  title: 'Clase {number}: {topic}',
  templateName: 'lecture-notes',
  keywords: ['{topic}', '{topic.term}', 'práctica', 'entrega', 'ejemplo'],
  people: { teacher: 'woman', student: 'man', other: 'woman' },
  slots: {
    number: ['4', '6', '7', '9'],
    topic: [
      {
        name: 'El precio de esperar',
        term: 'coste de oportunidad',
        question: 'Si hoy te quedas en casa estudiando, ¿qué te cuesta esa tarde?',
        naive: 'Nada, ¿no? No he pagado por estudiar.',
        answer:
          'Eso decimos todos. Pero podrías haber trabajado y ganado cuarenta euros. Lo que dejas de ganar también es un coste, aunque no salga en ningún recibo.',
        definition: 'el coste de oportunidad es el valor de la mejor alternativa a la que se renuncia',
        example: 'una panadería que deja de abrir los domingos',
        doubt: '¿Y si las alternativas son varias? ¿Se suman todas?',
        clear: 'No, solo cuenta la mejor. No puedes estar en dos sitios a la vez.',
        rule: 'Solo cuenta la mejor de las alternativas',
      },
      {
        name: 'Por qué suben los alquileres',
        term: 'oferta y demanda',
        question: 'Si mañana llegan mil estudiantes más a esta ciudad, ¿qué pasa con los alquileres?',
        naive: 'Suben, porque hay más gente buscando piso.',
        answer:
          'Suben, sí, pero ¿cuánto? Depende de cuántos pisos más salgan al mercado. Y eso, a corto plazo, casi no cambia.',
        definition:
          'a corto plazo la oferta de vivienda es rígida: el precio sube, pero apenas aparecen más pisos',
        example: 'el barrio alrededor de la nueva facultad',
        doubt: '¿Y a largo plazo? ¿Vuelven a bajar?',
        clear: 'En parte, si se construye. Por eso siempre hay que decir de qué plazo hablamos.',
        rule: 'Siempre hay que decir de qué plazo se habla',
      },
      {
        name: 'La media que engaña',
        term: 'mediana',
        question:
          'En una sala hay nueve personas que ganan mil euros y una que gana once mil. ¿Cuál es el sueldo medio?',
        naive: 'Dos mil. Pero eso no lo gana ninguno de ellos.',
        answer:
          'Muy bien visto. La media es correcta y aun así no describe a nadie. Para eso tenemos la mediana, que aquí son mil euros.',
        definition:
          'la mediana es el valor que deja la mitad de los casos por debajo y la otra mitad por encima',
        example: 'los sueldos de un equipo de fútbol',
        doubt: '¿Entonces la media no sirve para nada?',
        clear: 'Sí que sirve, cuando no hay valores extremos. Lo prudente es dar las dos.',
        rule: 'Cuando hay valores extremos, se dan la media y la mediana',
      },
    ],
    book: ['el capítulo 3', 'el capítulo 5', 'el capítulo 8'],
    pages: ['dos páginas', 'tres páginas'],
    room: ['el aula 12', 'el aula 4', 'el laboratorio'],
  },
  weeks: [{ hand_in: 8 }, { hand_in: 10 }, { hand_in: 11 }],
  chapters: [
    {
      name: 'Una pregunta para empezar',
      lines: [
        'teacher: Buenos días a todos. Hoy empezamos con una pregunta y sin apuntes. {topic.question}',
        'student: {topic.naive}',
        'teacher: {topic.answer}',
        'other: O sea, que la primera respuesta casi nunca es la completa.',
        'teacher: Casi nunca, y por eso estamos aquí.',
      ],
    },
    {
      name: 'La definición y un ejemplo',
      lines: [
        'teacher: Ahora sí, apuntad esto: {topic.definition}. Leedlo dos veces, porque en el examen lo voy a pedir con un ejemplo.',
        'student: {topic.doubt}',
        'teacher: {topic.clear}',
        'teacher: Vamos con un caso de verdad: {topic.example}. Pensadlo dos minutos con la persona de al lado.',
        'other: Nosotros hemos llegado a lo mismo, pero por otro camino.',
        'teacher: Perfecto, entonces contadnos el vuestro en la práctica.',
      ],
    },
    {
      name: 'Para la próxima semana',
      lines: [
        'teacher: Para terminar: leed {book} y escribid {pages} sobre el ejemplo. Se entrega el {hand_in}, antes de medianoche.',
        'student: ¿Se puede hacer en parejas?',
        'teacher: Sí, pero entonces quiero los dos nombres arriba. Yo subo hoy las diapositivas.',
        'other: ¿Y la práctica sigue siendo en {room}?',
        'teacher: Sí, en {room}, a la hora de siempre. {other.first}, ¿presentas tú vuestro camino?',
        'other: Vale, lo preparo.',
      ],
    },
  ],
  summary: [
    'La clase gira en torno a un concepto: **{topic.definition}**.',
    'Ejemplo de trabajo: {topic.example}. {topic.rule}.',
    'Para la próxima semana hay que leer {book} y entregar {pages} el {hand_in}. La práctica es en {room}.',
  ],
  decisions: [
    'El trabajo se entrega el {hand_in} antes de medianoche y se puede hacer en parejas',
    'La práctica sigue siendo en {room}, a la hora de siempre',
  ],
  tasks: [
    { text: 'Subir las diapositivas de la clase', owner: 'teacher', due: 0, chapter: 2 },
    {
      text: 'Entregar {pages} sobre el ejemplo: {topic.example}',
      owner: 'student',
      due: 'hand_in',
      chapter: 2,
    },
    { text: 'Preparar la presentación para la práctica', owner: 'other', chapter: 2 },
  ],
};
