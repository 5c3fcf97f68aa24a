import { readCronFields, type CronRange } from '@aftermeet/contract';

import { joinWords } from './join-words.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** More times of day than these are no help. */
const mostTimes = 6;

type Field = readonly CronRange[];

/** A series in words: `0 9 * * 1` is `at 09:00 UTC on Monday`. The fields are those of crontab(5); what is no expression is returned as it is. */
export function describeCron(cron: string): string {
  const [minutes, hours, days, monthsOfYear, daysOfWeek] = readCronFields(cron) ?? [];
  if (!minutes || !hours || !days || !monthsOfYear || !daysOfWeek) return cron;
  const month = isAny(monthsOfYear) ? '' : ` in ${nameValues(monthsOfYear, (value) => months[value - 1])}`;
  return `${describeTimes(minutes, hours)} ${describeDays(days, daysOfWeek)}${month}`;
}

function describeTimes(minutes: Field, hours: Field): string {
  const minuteValues = isAny(minutes) ? [] : listValues(minutes);
  const hourValues = isAny(hours) ? [] : listValues(hours);
  const times = hourValues.flatMap((hour) => minuteValues.map((minute) => `${pad(hour)}:${pad(minute)}`));
  if (times.length > 0 && times.length <= mostTimes) return `at ${joinWords(times)} UTC`;
  if (isAny(minutes) && isAny(hours)) return 'every minute';
  const minute = isAny(minutes) ? 'every minute' : `at ${describeNumbers('minute', minutes)}`;
  return `${minute} of ${isAny(hours) ? 'every hour' : `${describeNumbers('hour', hours)} UTC`}`;
}

/** Where both are restricted, either is enough. */
function describeDays(days: Field, daysOfWeek: Field): string {
  const day = isAny(days) ? undefined : `on ${describeNumbers('day', days)} of the month`;
  const weekday = isAny(daysOfWeek) ? undefined : `on ${nameValues(daysOfWeek, (value) => weekdays[value])}`;
  const either = [day, weekday].filter((text) => text !== undefined);
  return either.length === 0 ? 'every day' : either.join(' or ');
}

/** A star restricts nothing, be it in a list or with a step of one. */
function isAny(field: Field): boolean {
  return field.some(({ isStar, step }) => isStar && step === 1);
}

/** Ascending. */
function listValues(field: Field): readonly number[] {
  const values = field.flatMap(({ from, to, step }) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step),
  );
  return [...new Set(values)].toSorted((one, other) => one - other);
}

/** A range of names is said as one, where all in it are meant. */
function nameValues(field: Field, nameValue: (value: number) => string | undefined): string {
  const names = field.flatMap((range) => {
    const { from, to, step } = range;
    if (step === 1 && to - from > 1) return [`${nameValue(from) ?? ''} to ${nameValue(to) ?? ''}`];
    return listValues([range]).map((value) => nameValue(value) ?? '');
  });
  return joinWords([...new Set(names)]);
}

function describeNumbers(noun: string, field: Field): string {
  const [first, ...others] = listValues(field);
  if (others.length === 0) return `${noun} ${String(first)}`;
  return `the ${noun}s ${joinWords([...new Set(field.flatMap(describeRange))])}`;
}

function describeRange(range: CronRange): readonly string[] {
  const { from, to, step } = range;
  const values = listValues([range]).map(String);
  if (values.length <= 4) return values;
  return [`${String(from)} to ${String(to)}${step === 1 ? '' : ` in steps of ${String(step)}`}`];
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
