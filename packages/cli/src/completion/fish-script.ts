import { type CommandNode, listCommands, type OptionNode, type Value } from './command-tree.ts';
import { listPaths, listValueOptions } from './shell-cases.ts';

/** A script for fish 3 and newer: one line for everything that may follow. */
export function writeFishScript(root: CommandNode): string {
  const commands = listCommands(root);
  const { name } = root;
  const flags = listValueOptions(commands).flatMap(({ words }) => words);
  return `# fish completion of ${name}
function __${name}_at --description 'Whether the words so far lead to this command, and to this argument of it'
    set -l at ${name}
    set -l before ''
    set -l number 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test -n "$before"
            set before ''
            continue
        end
        switch "$at $word"
            case ${listPaths(commands).map(quoteFish).join(' ')}
                set at "$at $word"
            case ${flags.map(quoteFish).join(' ')}
                set before $word
            case '*'
                string match -q -- '-*' $word; or set number (math $number + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test "$number" = "$argv[2]"
end
complete -c ${name} -f
${commands.map((command) => writeCommand(name, command)).join('')}`;
}

function writeCommand(program: string, command: CommandNode): string {
  const { path, commands, arguments: values, options } = command;
  return [
    ...commands.map(
      (child) => `${begin(program, `${path}' '0`)} -a ${child.name} -d ${quoteFish(child.summary)}\n`,
    ),
    ...values.map((value, index) => writeArgument(begin(program, `${path}' '${index}`), value)),
    ...options.map((option) => `${begin(program, path)}${writeOption(option)}\n`),
  ].join('');
}

function begin(program: string, condition: string): string {
  return `complete -c ${program} -n "__${program}_at '${condition}'"`;
}

function writeArgument(start: string, { choices, isFile }: Value): string {
  if (choices.length > 0) return `${start} -a ${quoteFish(choices.join(' '))}\n`;
  return isFile ? `${start} -F\n` : '';
}

function writeOption({ flags, description, value }: OptionNode): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
  );
  return `${names.join('')}${value === undefined ? '' : writeValue(value)} -d ${quoteFish(description)}`;
}

function writeValue({ choices, isFile }: Value): string {
  if (choices.length > 0) return ` -x -a ${quoteFish(choices.join(' '))}`;
  return isFile ? ' -r -F' : ' -x';
}

function quoteFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
