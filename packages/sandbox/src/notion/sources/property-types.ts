/** What a property of each type holds when nobody has set it. Those that Notion computes are never set. */
const emptyValues = {
  title: [],
  rich_text: [],
  number: null,
  select: null,
  status: null,
  multi_select: [],
  date: null,
  checkbox: false,
  url: null,
  email: null,
  phone_number: null,
  people: [],
  relation: [],
  files: [],
  created_time: undefined,
  created_by: undefined,
  last_edited_time: undefined,
  last_edited_by: undefined,
  unique_id: undefined,
} as const;

export type PropertyType = keyof typeof emptyValues;

/** https://developers.notion.com/reference/property-object (what has no people, no formula and no button in it) */
export function isPropertyType(text: string): text is PropertyType {
  return Object.hasOwn(emptyValues, text);
}

export function isComputed(type: PropertyType): boolean {
  return emptyValues[type] === undefined;
}

/** The value of a property that nobody set. */
export function emptyPropertyValue(type: PropertyType): unknown {
  return emptyValues[type];
}
