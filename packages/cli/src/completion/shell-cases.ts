import { type CommandNode, listCommands, type Value } from './command-tree.ts';

/** A word with what it means. */
export type Described = readonly [word: string, description: string];

/** How a shell of the sh family offers words. */
export interface Dialect {
  readonly offerWords: (words: readonly string[]) => string;
  readonly offerOptions: (options: readonly Described[]) => string;
  readonly offerCommands: (commands: readonly Described[]) => string;
}

/** The branches of the `case` blocks that bash and zsh have in common. */
export interface ShellCases {
  /** Over `$at $word`: go on to a command below, or remember an option that takes a value. */
  readonly walk: string;
  /** Over `$at $before`: the words that the value of an option may be. */
  readonly optionValues: string;
  /** Over `$at`: the options of a command. */
  readonly options: string;
  /** Over `$at $count`: the commands below, or the words that an argument may be. */
  readonly arguments: string;
}

export function writeCases(root: CommandNode, dialect: Dialect): ShellCases {
  const commands = listCommands(root);
  const valueOptions = listValueOptions(commands);
  return {
    walk:
      writeBranch(listPaths(commands), 'at="$at $word"') +
      writeBranch(
        valueOptions.flatMap(({ words }) => words),
        'before="$word"',
      ),
    optionValues: writeChoices(valueOptions, dialect),
    options: commands
      .map(({ path, options }) => {
        const described = options.flatMap(({ flags, description }) =>
          flags.map((flag) => [flag, description] as const),
        );
        return described.length === 0 ? '' : writeBranch([path], dialect.offerOptions(described));
      })
      .join(''),
    arguments:
      commands
        .filter(({ commands: below }) => below.length > 0)
        .map(({ path, commands: below }) => {
          const described = below.map(({ name, summary }) => [name, summary] as const);
          return writeBranch([`${path} 0`], dialect.offerCommands(described));
        })
        .join('') + writeChoices(listArguments(commands), dialect),
  };
}

/** A text in single quotes, as the shells of the sh family read it. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Every command but the outermost, as the words that lead to it. */
export function listPaths(commands: readonly CommandNode[]): readonly string[] {
  return commands.filter(({ path }) => path.includes(' ')).map(({ path }) => path);
}

/** A value, and what stands before it: `aftermeet export --format`, or `aftermeet report 0` for a first argument. */
interface Place {
  readonly words: readonly string[];
  readonly value: Value;
}

/** The options that take a value. */
export function listValueOptions(commands: readonly CommandNode[]): readonly Place[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined ? [] : [{ words: flags.map((flag) => `${path} ${flag}`), value }],
    ),
  );
}

function listArguments(commands: readonly CommandNode[]): readonly Place[] {
  return commands.flatMap(({ path, arguments: values }) =>
    values.map((value, index) => ({ words: [`${path} ${index}`], value })),
  );
}

function writeChoices(places: readonly Place[], dialect: Dialect): string {
  return places
    .filter(({ value }) => value.choices.length > 0)
    .map(({ words, value }) => writeBranch(words, dialect.offerWords(value.choices)))
    .join('');
}

function writeBranch(patterns: readonly string[], action: string): string {
  return `      ${patterns.map(quoteShell).join('|')}) ${action} ;;\n`;
}
