import type { Scene } from '../../generator/scene.ts';

/** A customer has a device that fails, the support helps and sends a technician. */
export const supportCall: Scene = {
  title: 'Support: {device} in {city}',
  templateName: 'default-meeting',
  keywords: ['{device}', 'Störung', 'Techniker', 'Leihgerät', '{city}'],
  people: { customer: 'woman', agent: 'man', technician: 'man' },
  slots: {
    device: [
      {
        name: 'Etikettendrucker',
        der: 'der Drucker',
        den: 'den Drucker',
        trouble: 'Er zieht das Papier schief ein, und jedes zehnte Etikett ist unlesbar.',
        check: 'Wenn Sie die Klappe öffnen: Ist die Walze rechts blank oder stumpf?',
        found: 'Stumpf, würde ich sagen. Und an einer Stelle ist ein Riss.',
        part: 'eine neue Andruckwalze',
        reason: 'die Andruckwalze ist verschlissen',
      },
      {
        name: 'Kassenwaage',
        der: 'die Waage',
        den: 'die Waage',
        trouble: 'Sie zeigt mal zwanzig Gramm zu viel an und mal gar nichts.',
        check: 'Wenn Sie die Platte abnehmen: Ist der Stecker darunter trocken?',
        found: 'Nein, da steht Wasser. Das muss beim Putzen passiert sein.',
        part: 'ein neues Anschlusskabel',
        reason: 'der Stecker unter der Platte ist nass geworden',
      },
      {
        name: 'Kartenlesegerät',
        der: 'das Lesegerät',
        den: 'das Lesegerät',
        trouble: 'Es nimmt jede dritte Karte nicht an und startet mitten im Bezahlen neu.',
        check: 'Wenn Sie das Gerät in die Ladestation stellen: Sitzt es fest, oder wackelt es?',
        found: 'Es wackelt, und wenn ich dagegendrücke, geht die Anzeige aus.',
        part: 'eine neue Ladestation',
        reason: 'die Buchse der Ladestation ist gebrochen',
      },
    ],
    city: ['Kassel', 'Erfurt', 'Augsburg', 'Oldenburg', 'Chemnitz'],
    since: ['vorgestern', 'gestern Mittag', 'Montagmorgen'],
    ticket: ['48213', '50977', '51640', '53308'],
    visit: ['zwischen acht und zehn', 'zwischen zehn und zwölf', 'am frühen Nachmittag'],
    contract: ['bis Jahresende', 'noch elf Monate', 'noch zwei Jahre'],
  },
  weeks: [{ visit_day: 2 }, { visit_day: 3 }, { visit_day: 4 }],
  chapters: [
    {
      name: 'Die Störung',
      lines: [
        'agent: Guten Tag, Frau {customer.last}, {agent.name} vom Kundendienst. Ich habe gleich unseren Techniker dazugeholt, Herrn {technician.last}. Was ist denn passiert?',
        'customer: Guten Tag zusammen. Es geht um {device.den} in unserer Filiale in {city}. {device.trouble}',
        'technician: Seit wann ist das so?',
        'customer: Seit {since}. Wir haben schon zweimal neu gestartet, danach geht es ein paar Minuten.',
        'agent: Haben Sie im Moment Ersatz, oder steht alles?',
        'customer: Wir behelfen uns. Aber am Samstag ist bei uns die Hölle los, da muss das laufen.',
      ],
    },
    {
      name: 'Ursache',
      lines: [
        'technician: Dann schauen wir kurz gemeinsam. {device.check}',
        'customer: {device.found}',
        'technician: Danke, das ist eindeutig. Das lässt sich am Telefon leider nicht beheben, Sie brauchen {device.part}. Bitte schalten Sie das Gerät bis dahin aus.',
        'customer: Und was kostet mich das?',
        'agent: Nichts. Ihr Wartungsvertrag läuft {contract}, Teil und Anfahrt sind da drin.',
      ],
    },
    {
      name: 'Termin',
      lines: [
        'customer: Das ist schon mal gut. Wann kann jemand kommen?',
        'technician: Ich kann am {visit_day} bei Ihnen sein, {visit}. Das Teil bringe ich mit, das dauert dann keine Stunde.',
        'agent: Und ein Leihgerät geht heute noch per Express raus, damit Sie bis dahin nicht improvisieren müssen. Die Nummer Ihres Vorgangs ist die {ticket}.',
        'customer: Wunderbar. Ich sage in der Filiale Bescheid, dass jemand die Tür zum Lager aufschließt.',
        'agent: Prima. Ich schicke Ihnen gleich alles per Mail und rufe Sie danach noch einmal an, ob wieder alles läuft.',
      ],
    },
  ],
  summary: [
    'In der Filiale {city} macht {device.der} seit {since} Probleme. **Die Ursache steht fest: {device.reason}.**',
    '{technician} kommt am {visit_day} ({visit}) und bringt {device.part} mit. Bis dahin hilft ein Leihgerät, das heute noch verschickt wird.',
    'Für die Kundin ist das kostenlos: Der Wartungsvertrag läuft {contract}. Vorgang {ticket}.',
  ],
  decisions: [
    'Die Reparatur findet am {visit_day} vor Ort statt, {visit}',
    'Teil und Anfahrt gehen auf den Wartungsvertrag',
    'Das Gerät bleibt bis zur Reparatur ausgeschaltet',
  ],
  tasks: [
    { text: 'Leihgerät per Express nach {city} schicken', owner: 'agent', due: 0, chapter: 2 },
    {
      text: 'Reparatur in der Filiale {city}, Vorgang {ticket}',
      owner: 'technician',
      due: 'visit_day',
      chapter: 2,
    },
    { text: 'Der Filiale wegen des Lagers Bescheid sagen', owner: 'customer', due: 1, chapter: 2 },
    { text: 'Nach der Reparatur noch einmal anrufen', owner: 'agent', chapter: 2 },
  ],
};
