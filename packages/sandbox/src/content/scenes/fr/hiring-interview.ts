import type { Scene } from '../../generator/scene.ts';

/** A first interview, with questions in both directions. */
export const hiringInterview: Scene = {
  title: 'Entretien : {job}',
  templateName: 'hr-interview',
  keywords: ['entretien', '{job}', 'préavis', 'salaire', '{job.team}'],
  people: { lead: 'woman', peer: 'man', candidate: 'man' },
  slots: {
    job: [
      {
        name: 'développeur web',
        team: 'équipe paiement',
        work: 'du site de réservation',
        first: 'la page de remboursement',
      },
      {
        name: 'chef de projet',
        team: 'équipe logistique',
        work: 'de l’ouverture des nouveaux entrepôts',
        first: 'le déménagement du dépôt de Lyon',
      },
      {
        name: 'responsable qualité',
        team: 'équipe production',
        work: 'des audits chez les fournisseurs',
        first: 'la préparation du prochain audit',
      },
    ],
    employer: ['Cartonneries du Rhône', 'Atelier Montclar', 'Maison Delbos'],
    tenure: ['trois ans', 'quatre ans', 'six ans'],
    incident: [
      {
        story:
          'Un vendredi soir, nous avons envoyé la même facture deux fois à trois cents clients. J’ai d’abord tout arrêté, puis j’ai appelé les dix plus gros moi-même, et c’est seulement après que j’ai cherché la cause.',
        lesson:
          'Je ferais relire la liste par quelqu’un d’autre avant chaque envoi. C’est ce que nous faisons depuis.',
        short: 'des factures envoyées deux fois à trois cents clients',
      },
      {
        story:
          'Un de nos fournisseurs a fait faillite trois semaines avant une livraison importante. J’ai prévenu le client le jour même, avec deux solutions de rechange, et il a choisi la plus lente mais la plus sûre.',
        lesson:
          'J’aurais un deuxième fournisseur dès le départ. Ça coûte un peu plus cher, mais on dort mieux.',
        short: 'la faillite d’un fournisseur à trois semaines de la livraison',
      },
    ],
    notice: [
      { of: 'de trois mois', start: 'dans un peu plus de trois mois' },
      { of: 'd’un mois', start: 'dans cinq ou six semaines' },
      { of: 'de deux mois', start: 'dans deux mois et demi' },
    ],
    salary: ['44 000 €', '48 500 €', '52 000 €'],
    remote: ['deux jours', 'trois jours'],
  },
  weeks: [{ answer: 5 }, { answer: 3 }, { answer: 2 }],
  chapters: [
    {
      name: 'Parcours',
      lines: [
        'lead: Bonjour et merci d’être venu. Je dirige l’{job.team}, et {peer.first} travaillerait avec vous au quotidien. Vous pouvez commencer par nous raconter ce que vous faites aujourd’hui ?',
        'candidate: Avec plaisir. Je travaille depuis {tenure} chez {employer}. J’ai commencé au service client, et maintenant je m’occupe {job.work}.',
        'peer: Vous êtes nombreux dans l’équipe ?',
        'candidate: Cinq, et nous partageons une graphiste avec deux autres équipes.',
        'lead: Pourquoi voulez-vous partir ?',
        'candidate: Je n’ai rien contre eux, au contraire. Mais je fais la même chose depuis deux ans, et j’ai envie de construire quelque chose depuis le début.',
      ],
    },
    {
      name: 'Une journée difficile',
      lines: [
        'peer: Racontez-nous une situation qui a mal tourné. Qu’avez-vous fait ?',
        'candidate: {incident.story}',
        'peer: Et aujourd’hui, que feriez-vous autrement ?',
        'candidate: {incident.lesson}',
        'peer: Ça me plaît. Vous avez pensé au client avant de chercher un coupable.',
      ],
    },
    {
      name: 'Le poste et la suite',
      lines: [
        'candidate: À quoi ressembleraient les trois premiers mois ?',
        'lead: Le premier mois, vous seriez en binôme avec {peer.first}. Ensuite, vous prendriez en charge {job.first}. Le télétravail est possible {remote} par semaine.',
        'candidate: Ça me convient. Mon préavis est {notice.of}, je pourrais donc commencer {notice.start}.',
        'lead: Et vos attentes pour le salaire ?',
        'candidate: Autour de {salary} par an, mais on peut en parler si le reste convient.',
        'lead: C’est dans notre fourchette. Vous aurez une réponse {answer} au plus tard, quelle qu’elle soit.',
        'peer: Et moi, je vous envoie ce soir le petit exercice. Deux heures, pas plus.',
        'candidate: Merci à vous deux, j’attends ça avec impatience.',
        'lead: {peer.first}, tu notes tes impressions aujourd’hui, tant que c’est frais ?',
        'peer: Oui, juste après le déjeuner.',
      ],
    },
  ],
  summary: [
    '{candidate} travaille depuis {tenure} chez {employer} et s’occupe {job.work}. Il cherche un poste où construire quelque chose de nouveau.',
    'Il a parlé franchement d’un incident ({incident.short}) et de ce qu’il en a retenu.',
    'Il demande {salary} par an, ce qui est dans la fourchette, et pourrait commencer {notice.start}. **Réponse {answer} au plus tard.**',
  ],
  decisions: [
    'Le salaire demandé ({salary}) est dans la fourchette',
    '{candidate} reçoit une réponse {answer} au plus tard, quelle qu’elle soit',
  ],
  tasks: [
    { text: 'Donner une réponse à {candidate}', owner: 'lead', due: 'answer', chapter: 2 },
    { text: 'Envoyer l’exercice à {candidate}', owner: 'peer', due: 0, chapter: 2 },
    { text: 'Noter les impressions de l’entretien', owner: 'peer', due: 0, chapter: 2 },
  ],
};
