import type { Scene } from '../../generator/scene.ts';

/** A first look at a product, a price and a trial. */
export const salesCall: Scene = {
  title: '{product} pour {customer} : démonstration et offre',
  templateName: 'sales-meeting',
  keywords: ['{product}', '{customer.topic}', 'essai', 'offre', 'hébergement des données'],
  people: { seller: 'woman', engineer: 'man', buyer: 'woman' },
  slots: {
    product: ['Planéo', 'Rondalis', 'Tournéo'],
    customer: [
      {
        name: 'Transports Vauban',
        topic: 'planning des chauffeurs',
        today: 'Sur un tableau blanc et dans trois fichiers différents',
        trouble: 'La semaine dernière, deux chauffeurs se sont présentés pour la même tournée',
        sites: 'dépôts',
        many: 'Nous avons six dépôts',
      },
      {
        name: 'Résidences Belleval',
        topic: 'planning des soignants',
        today: 'Sur papier, avec des ratures à n’en plus finir',
        trouble: 'La semaine dernière, personne n’était prévu pour la nuit de samedi',
        sites: 'résidences',
        many: 'Nous avons neuf résidences',
      },
      {
        name: 'Boulangeries Marceau',
        topic: 'planning des vendeurs',
        today: 'Chaque gérant fait comme il veut, et moi je recopie tout le dimanche soir',
        trouble: 'La semaine dernière, une boutique est restée fermée jusqu’à dix heures',
        sites: 'boutiques',
        many: 'Nous avons onze boutiques',
      },
    ],
    price: [
      { people: '70', each: '9 €', full: '7 560 €', discount: '10 %', net: '6 804 €' },
      { people: '120', each: '8 €', full: '11 520 €', discount: '15 %', net: '9 792 €' },
      { people: '50', each: '11 €', full: '6 600 €', discount: '10 %', net: '5 940 €' },
    ],
    hours: ['cinq heures', 'sept heures', 'une journée entière'],
    trial: ['quatre semaines', 'six semaines', 'deux mois'],
    place: ['Roubaix', 'Strasbourg', 'Marseille'],
  },
  weeks: [{ files: 2 }, { files: 4 }, { files: 5 }],
  chapters: [
    {
      name: 'Le {customer.topic} aujourd’hui',
      lines: [
        'seller: Bonjour Madame {buyer.last}, merci de nous recevoir. Avant que {engineer.first} partage son écran, j’aimerais vous entendre : comment faites-vous le {customer.topic} en ce moment ?',
        'buyer: {customer.today}. {customer.many}, et chaque changement, c’est trois coups de téléphone. {customer.trouble}, vous imaginez l’ambiance.',
        'engineer: Combien de temps cela vous prend par semaine ?',
        'buyer: À moi, {hours}. Sans compter les gens qui m’appellent pour savoir quand ils travaillent.',
      ],
    },
    {
      name: 'Démonstration',
      lines: [
        'engineer: Alors voilà {product}. À gauche les personnes, en haut les jours. Je déplace un nom, et la personne concernée reçoit tout de suite un message sur son téléphone.',
        'buyer: Et si elle n’a pas de téléphone professionnel ?',
        'engineer: Son téléphone personnel suffit, ou même un simple SMS. Elle répond oui ou non, et vous voyez la réponse en couleur.',
        'buyer: C’est clair. Et les règles sur les temps de repos ?',
        'engineer: Elles sont vérifiées à chaque déplacement. Si les onze heures ne sont pas respectées, la case devient rouge et on ne peut pas publier.',
      ],
    },
    {
      name: 'Prix et période d’essai',
      lines: [
        'buyer: Bon, parlons prix. Nous serions {price.people} utilisateurs.',
        'seller: C’est {price.each} par personne et par mois, donc {price.full} par an. Si vous vous engagez sur un an, je vous fais {price.discount} de remise, et nous arrivons à {price.net}.',
        'buyer: Je ne signe rien sans avoir essayé. On peut commencer dans deux {customer.sites} ?',
        'seller: Bien sûr : {trial}, deux {customer.sites}, sans frais. Vous aurez l’offre demain, et elle reste valable jusqu’à la fin de l’essai.',
        'buyer: D’accord. Je vous envoie les plannings actuels avant {files}, pour que {engineer.first} puisse tout préparer.',
        'engineer: Parfait, avec ça il me faut une journée.',
        'buyer: Une dernière chose : où sont hébergées les données ? Notre comité va me poser la question.',
        'seller: À {place}, chez un hébergeur certifié. Je joins le certificat à l’offre.',
      ],
    },
  ],
  summary: [
    'Chez {customer}, le {customer.topic} se fait encore à la main et coûte {hours} par semaine à Madame {buyer.last}.',
    '**Prochaine étape : un essai gratuit de {trial} dans deux {customer.sites}.** L’offre pour {price.people} personnes s’élève à {price.net} par an, soit {price.discount} de moins que le tarif normal ({price.full}).',
    'Les données sont hébergées à {place} ; le certificat sera joint à l’offre.',
  ],
  decisions: [
    'Essayer {product} dans deux {customer.sites}, sans frais, pour une durée de {trial}',
    'L’offre à {price.net} par an reste valable jusqu’à la fin de l’essai',
  ],
  tasks: [
    { text: 'Envoyer l’offre avec la remise et le certificat', owner: 'seller', due: 1, chapter: 2 },
    { text: 'Envoyer les plannings actuels', owner: 'buyer', due: 'files', chapter: 2 },
    { text: 'Préparer {product} pour l’essai', owner: 'engineer', chapter: 2 },
  ],
};
