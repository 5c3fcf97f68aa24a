import type { ContentLanguage } from '../languages.ts';
import type { SlotChoice } from './scene.ts';

/** Monday to Friday, in the form that follows a preposition or stands alone. */
const weekdays: Readonly<Record<ContentLanguage, readonly SlotChoice[]>> = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  de: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag'],
  fr: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi'],
  es: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes'],
  ru: [
    { name: 'понедельник', on: 'в понедельник', by: 'до понедельника', for: 'к понедельнику' },
    { name: 'вторник', on: 'во вторник', by: 'до вторника', for: 'ко вторнику' },
    { name: 'среда', on: 'в среду', by: 'до среды', for: 'к среде' },
    { name: 'четверг', on: 'в четверг', by: 'до четверга', for: 'к четвергу' },
    { name: 'пятница', on: 'в пятницу', by: 'до пятницы', for: 'к пятнице' },
  ],
  zh: ['周一', '周二', '周三', '周四', '周五'],
  ja: ['月曜日', '火曜日', '水曜日', '木曜日', '金曜日'],
};

/** The name of a day, 1 is Monday, 8 is Monday of next week. Throws `RangeError` for a day on which nobody works. */
export function nameWeekday(language: ContentLanguage, weekday: number): SlotChoice {
  const name = weekdays[language][(weekday - 1) % 7];
  if (name === undefined) throw new RangeError(`${String(weekday)} is no weekday from Monday, 1, to Friday.`);
  return name;
}
