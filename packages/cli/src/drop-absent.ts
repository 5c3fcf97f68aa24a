type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that are there: an option that nobody gave is not a field without a value. */
export function dropAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  // The one cast: the compiler does not follow entries through a filter.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
