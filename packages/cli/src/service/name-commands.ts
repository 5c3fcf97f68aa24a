import { operationCommands } from '../operation-commands.ts';

const commands: ReadonlyMap<string, string> = new Map(Object.entries(operationCommands));

/** The client's advice names operations and options of its own where a person needs commands. */
export function nameCommands(words: string): string {
  return (
    words
      // What settles a write is printed as a whole command line.
      .replace(/; it may have taken effect: look with .*$/, '')
      .replaceAll(/\blook with ([\w.]+\w)/g, (whole, id: string) => {
        const command = commands.get(id);
        return command === undefined ? whole : `look with aftermeet ${command}`;
      })
      .replaceAll(/(?<!-)\bforce sends\b/g, '--force sends')
  );
}
