/** The entities the service is known to write, by what is in them. */
const knownTitles: ReadonlyMap<string, string> = new Map([
  ['follow_up_email', 'Follow-up email'],
  ['hr_summary', 'HR summary'],
  ['med_anamnesis', 'Medical anamnesis'],
  ['one_to_one', 'One to one'],
  ['sales_general', 'Sales'],
  ['summary_agenda', 'Agenda'],
]);

/** `Med-Anamnesis`, `med_anamnesis` and `medAnamnesis` as one name. */
export function foldEntity(name: string): string {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s_-]+/g, '_')
    .toLowerCase();
}

/** What stands above the text of an entity: `Questions and answers` for `questions_and_answers`. */
export function sectionTitle(name: string): string {
  const folded = foldEntity(name);
  const known = knownTitles.get(folded);
  if (known !== undefined) return known;
  const isEntity = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(folded);
  const words = isEntity ? folded.replaceAll('_', ' ').trim() : name.slice(0, 400);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
