import { readList, readText, type Parts } from '../../web/read-parts.ts';

/** One choice of a select, multi-select or status property. */
export interface PropertyOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

const colors = ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'];

/** The choices that a property has now. */
export function listOptions(config: Parts): readonly PropertyOption[] {
  return readList(config['options']).map(({ id, name, color, description }) => ({
    id: readText(id),
    name: readText(name),
    color: readText(color),
    description: typeof description === 'string' ? description : null,
  }));
}

/** Reads the choices that a request lists: those that are known keep their ids. */
export function readOptions(
  given: unknown,
  known: readonly PropertyOption[],
  makeId: () => string,
): readonly PropertyOption[] {
  return readList(given).map((option, index) => {
    const old = findOption(known, option);
    const name = readText(option['name']);
    const color = readText(option['color']);
    return {
      id: old?.id ?? makeId(),
      name: name === '' ? (old?.name ?? '') : name,
      color: color === '' ? (old?.color ?? pickColor(known.length + index)) : color,
      description: typeof option['description'] === 'string' ? option['description'] : null,
    };
  });
}

/** A choice by the id or the name that a request gives. */
export function findOption(options: readonly PropertyOption[], given: Parts): PropertyOption | undefined {
  return options.find(({ id, name }) =>
    given['id'] === undefined ? name === given['name'] : id === given['id'],
  );
}

/** Notion colours by chance; here neighbours differ. */
export function pickColor(index: number): string {
  return colors[index % colors.length] ?? 'default';
}
